import * as v from 'valibot'
import { cutText } from '../../platform/values/cut-text.ts'
import { nearest } from './nearest.ts'
import { pythonType } from './python.ts'

/** Why a value is refused: one or more messages for its field. */
export class Refusal {
  readonly messages: readonly string[]
  constructor(messages: readonly string[]) {
    this.messages = messages
  }
}

export const refuse = (...messages: readonly string[]): Refusal => new Refusal(messages)

/** The documented type of a field, as JSON Schema. Other types that are coerced are not documented. */
export type Described = Readonly<Record<string, unknown>>

/**
 * A field of a request. `read` returns its coerced value, or a refusal. A field must be present and not null, unless `v.optional(field)` or
 * `v.nullable(field)` allows it.
 */
export const field = <T>(read: (value: unknown) => T | Refusal, described: Described) =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const result = dataset.value === null ? refuse('This field may not be null.') : read(dataset.value)
      if (!(result instanceof Refusal)) return result
      for (const message of result.messages) addIssue({ message })
      return NEVER
    }),
    v.metadata(described),
  )

/** For fields that clients leave empty on purpose: blank text becomes null. */
export const blankAsNull = <S extends v.GenericSchema<unknown>>(schema: S) =>
  v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' && value.trim() === '' ? null : value)),
    v.nullable(schema),
  )

export const isDictionary = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The body of a request, before its fields are checked. */
export const Dictionary = v.custom<Record<string, unknown>>(isDictionary, ({ input }) =>
  input === null ? 'No data provided' : `Invalid data. Expected a dictionary, but got ${pythonType(input)}.`,
)

export const REQUIRED = 'This field is required.'

/** Characters of a field's name that an answer repeats. Only unknown fields have longer names. */
const LONGEST_NAME = 100

/** Unknown keys that are compared with a missing field. A body may have thousands. */
const MOST_COMPARED = 50

/** The field that is commonly called by another name, too. */
type CommonlyCalled = (name: string) => string | undefined

/** The message for a missing field. It names the unknown key of the body that probably means the field. */
const missing =
  (known: readonly string[], commonlyCalled: CommonlyCalled) =>
  ({ path }: v.BaseIssue<unknown>): string => {
    const { input: body, key: name } = path?.[0] ?? {}
    if (!isDictionary(body) || typeof name !== 'string') return REQUIRED
    const isMeant = (key: string): boolean =>
      commonlyCalled(key) === name || (nearest(key, [name]) !== undefined && nearest(key, known) === name)
    const unknown = Object.keys(body).filter((key) => !known.includes(key))
    const meant = unknown.slice(0, MOST_COMPARED).find(isMeant)
    return meant === undefined ? REQUIRED : `${REQUIRED} You sent \`${cutText(meant, LONGEST_NAME)}\`. Rename it to \`${name}\`.`
  }

/** The fields of a dictionary. Errors follow their order. Other keys are dropped. */
export const fields = <E extends v.ObjectEntries>(entries: E, commonlyCalled: CommonlyCalled = () => undefined) =>
  v.object(entries, missing(Object.keys(entries), commonlyCalled))

/** Every message of every failing field, in field order. */
export const fieldErrors = (issues: readonly v.BaseIssue<unknown>[]): Record<string, string[]> => {
  const errors = new Map<string, string[]>()
  for (const issue of issues) {
    const name = cutText(String(issue.path?.[0]?.key ?? 'non_field_errors'), LONGEST_NAME)
    const messages = errors.get(name)
    if (messages) messages.push(issue.message)
    else errors.set(name, [issue.message])
  }
  return Object.fromEntries(errors)
}

/** For a field with fields of its own. Messages have the form `name: message`. */
export const refuseFields = (issues: readonly v.BaseIssue<unknown>[]): Refusal =>
  refuse(...Object.entries(fieldErrors(issues)).flatMap(([name, messages]) => messages.map((message) => `${name}: ${message}`)))
