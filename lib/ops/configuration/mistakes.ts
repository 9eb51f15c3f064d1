import * as v from 'valibot'
import { didYouMean } from '#shared/http/fields/nearest.ts'
import { withoutEnd } from '../../without-end.ts'
import type { ParsedDocument, Path, Position } from './document.ts'

/** One mistake in a file, with its position. */
export interface Mistake extends Position {
  readonly file: string
  /** `users[acme].lead_types[solar].agent`. */
  readonly path: string
  readonly message: string
}

const Keyed = v.object({ key: v.string() })

const stepInto = (value: unknown, step: string | number): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === String(step))?.[1] : undefined

/** A path for people: list entries appear by their keys. */
const pathText = (root: unknown, path: Path): string => {
  let text = ''
  let value = root
  for (const step of path) {
    value = stepInto(value, step)
    const keyed = v.safeParse(Keyed, value)
    if (typeof step === 'number') text += `[${keyed.success ? keyed.output.key : step}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}

export const mistakeLine = ({ file, line, column, path, message }: Mistake): string =>
  `${file}:${line}:${column}: ${path === '' ? '' : `${path}: `}${message}`

/** Collects the mistakes in one file. */
export class Mistakes {
  readonly all: Mistake[] = []
  readonly #file: string
  readonly #written: ParsedDocument
  /** Paths of invalid values. */
  readonly #faulty = new Set<string>()

  constructor(file: string, written: ParsedDocument) {
    this.#file = file
    this.#written = written
  }

  add(path: Path, message: string, part: 'key' | 'value' = 'value'): void {
    const position = this.#written.at(path, part)
    this.all.push({ file: this.#file, ...position, path: pathText(this.#written.value, path), message })
  }

  /** @param path of the value that was parsed */
  addIssues(issues: readonly v.BaseIssue<unknown>[], path: Path = []): void {
    for (const issue of issues) {
      // `findUnknownKeys` finds all unknown keys; a schema reports only the first.
      if (issue.type === 'strict_object' && issue.expected === 'never') continue
      const whole = [...path, ...pathOf(issue)]
      const inside = insideOf(issue)
      if (inside.length > 0) this.addIssues(inside, whole)
      else if (this.#isFirst(issue, whole)) this.add(whole, reasonOf(issue, isOfName(issue) ? undefined : this.#written.source(whole)))
    }
  }

  /**
   * Reports one mistake per value: a number that is not whole is not also reported as too great. A `raw_check` may report several per list.
   */
  #isFirst({ type }: v.BaseIssue<unknown>, path: Path): boolean {
    const key = JSON.stringify(path)
    if (type !== 'raw_check' && this.#faulty.has(key)) return false
    this.#faulty.add(key)
    return true
  }
}

const Step = v.union([v.string(), v.number()])

const pathOf = (issue: v.BaseIssue<unknown>): Path => (issue.path ?? []).map(({ key }) => v.parse(Step, key))

/** Whether the name of a setting is refused, and not its value. */
const isOfName = ({ path }: v.BaseIssue<unknown>): boolean => path?.at(-1)?.origin === 'key'

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  Object: 'settings by their names',
  Array: 'a list',
}

/** Splits valibot's `("a" | "b") | Object | null` into allowed values and kinds. */
const expectedIn = (expected: string) => {
  const parts = expected.split(' | ').map((part) => withoutEnd(part.replace(/^\(+/, ''), ')'))
  return {
    choices: parts.flatMap((part) => /^"(.*)"$/.exec(part)?.[1] ?? []),
    kinds: parts.flatMap((part) => KINDS[part] ?? []),
  }
}

/** Matches valibot's own messages. A message that a schema sets is written for people. */
const OWN_WORDS = /^Invalid \S+: /

/** Issues inside a value that matches the kind of exactly one alternative. */
const insideOf = ({ message, issues }: v.BaseIssue<unknown>): readonly v.BaseIssue<unknown>[] =>
  (OWN_WORDS.test(message) && issues?.filter(({ path }) => path !== undefined)) || []

const shownValue = (input: unknown, source: string | undefined): string => {
  if (source !== undefined && source !== '') return source
  if (input === null || input === '') return 'nothing'
  if (typeof input !== 'object') return String(input)
  return Array.isArray(input) ? 'a list' : 'settings'
}

const isNumeral = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

/** Why a value is refused, in a sentence. @param source the value's source text */
const reasonOf = (issue: v.BaseIssue<unknown>, source: string | undefined): string => {
  const { type, message, input } = issue
  if (!OWN_WORDS.test(message)) return message
  if (input === undefined && issue.kind === 'schema') return 'This setting is required.'
  const shown = shownValue(input, source)
  if (/^(min|max)_/.test(type)) return boundReason(issue)
  if (type === 'integer') return `A whole number is required, not ${shown}.`
  if (type === 'url') return `${shown} is not a URL.`
  if (type === 'uuid') return `${shown} is not a UUID.`
  if (type === 'regex') return `${shown} does not have the form ${issue.expected}.`
  const { choices, kinds } = expectedIn(issue.expected ?? '')
  if (kinds.includes('text') && ['number', 'boolean'].includes(typeof input)) return `Text is required: put ${shown} into quotes.`
  if (kinds.includes('a number') && typeof input === 'string' && isNumeral(input))
    return `A number is required: take ${shown} out of quotes.`
  if (choices.length > 0) return `${shown} is not one of: ${[...choices, ...kinds].join(', ')}.${didYouMean(shown, choices)}`
  return `Expected ${kinds.join(' or ') || issue.expected}, not ${shown}.`
}

const boundReason = ({ type, expected, received, input }: v.BaseIssue<unknown>): string => {
  const bound = (expected ?? '').replace(/^[<>]=/, '')
  const of = type.endsWith('_value') ? '' : Array.isArray(input) ? ' in the list' : ' characters'
  return type.startsWith('min_') ? `At least ${bound}${of} required, not ${received}.` : `At most ${bound}${of} allowed, not ${received}.`
}
