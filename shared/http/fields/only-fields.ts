import * as v from 'valibot'
import { Dictionary, isDictionary, REQUIRED } from './field.ts'
import { nearest } from './nearest.ts'

/** Django forms send this token with their fields. */
const ALWAYS_IGNORED = ['csrfmiddlewaretoken']

/** Most unknown fields that are reported: a body may hold thousands. */
const MOST_REPORTED = 20

const unknownField = (name: string, known: readonly string[]): string => {
  const near = nearest(name, known)
  if (near !== undefined) return `Unknown field. Did you mean \`${near}\`?`
  if (known.length === 0) return 'Unknown field. This request takes no fields.'
  return `Unknown field. The fields are: ${known.map((field) => `\`${field}\``).join(', ')}.`
}

const without = (names: readonly string[]) => (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

/** The body that the schema refused because of an unknown field. */
const bodyOf = (issues: readonly v.BaseIssue<unknown>[]): Record<string, unknown> => {
  const body = issues.find(({ type, expected }) => type === 'strict_object' && expected === 'never')?.path?.[0]?.input
  return isDictionary(body) ? body : {}
}

interface Options {
  /** Fields that responses show but requests do not take. A client may send them back. */
  readonly ignored?: readonly string[]
}

/**
 * The body of a request that takes only these fields. An unknown field is refused, with the most similar name. If a misspelt option were
 * ignored, the request would do something unintended.
 */
export const onlyFields = <E extends v.ObjectEntries>(entries: E, { ignored = [] }: Options = {}) => {
  const known = Object.keys(entries)
  const notTaken = [...ignored, ...ALWAYS_IGNORED].filter((name) => !known.includes(name))
  return v.pipe(
    Dictionary,
    v.transform(without(notTaken)),
    v.strictObject(entries, ({ expected, input }) => (expected === 'never' ? unknownField(String(input), known) : REQUIRED)),
    // The schema reports only the first unknown field.
    v.rawCheck(({ dataset, addIssue }) => {
      const body = bodyOf(dataset.issues ?? [])
      const unknown = Object.keys(body).filter((name) => !known.includes(name))
      for (const key of unknown.slice(1, MOST_REPORTED)) {
        addIssue({ message: unknownField(key, known), path: [{ type: 'unknown', origin: 'key', input: body, key, value: body[key] }] })
      }
    }),
  )
}

/** The body of a request that takes no fields. */
export const NoFields = onlyFields({})
