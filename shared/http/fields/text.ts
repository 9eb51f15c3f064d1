import { type Described, field, type Refusal, refuse } from './field.ts'

/** Characters. For a longer text, only the length is checked. */
const MOST_CHECKED = 10_000

export interface TextOptions {
  /** Most characters (code points). Default: `MOST_CHECKED`. */
  readonly maxLength?: number
  readonly allowBlank?: boolean
  /** The message for a value that is not text. */
  readonly noText?: string
}

const isLongerThan = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false
  let characters = 0
  for (const _ of text) if (++characters > limit) return true
  return false
}

const firstSurrogate = (text: string): string | undefined => /[\p{Surrogate}]/u.exec(text)?.[0]

/** Trimmed text. Numbers become their digits; any other type is refused. */
export const readText = (value: unknown, { allowBlank = false, noText = 'Not a valid string.' }: TextOptions = {}): string | Refusal => {
  if (typeof value !== 'string' && typeof value !== 'number') return refuse(noText)
  const text = String(value).trim()
  return text === '' && !allowBlank ? refuse('This field may not be blank.') : text
}

const tooLong = (limit: number): string => `Ensure this field has no more than ${limit} characters.`

/** The problems of a text. For a very long one, only its length. */
const textProblems = (text: string, { maxLength = MOST_CHECKED }: TextOptions, check: (text: string) => readonly string[]): string[] => {
  if (text.length > MOST_CHECKED) return [tooLong(maxLength)]
  const problems: string[] = []
  if (isLongerThan(text, maxLength)) problems.push(tooLong(maxLength))
  if (text.includes('\0')) problems.push('Null characters are not allowed.')
  const surrogate = firstSurrogate(text)
  if (surrogate) problems.push(`Surrogate characters are not allowed: U+${surrogate.charCodeAt(0).toString(16).toUpperCase()}.`)
  return [...new Set([...problems, ...check(text)])]
}

/** Text that also passes `check`, which returns its problems. */
export const checkedTextField = (options: TextOptions, check: (text: string) => readonly string[], described: Described = {}) =>
  field(
    (value): string | Refusal => {
      const text = readText(value, options)
      if (typeof text !== 'string' || text === '') return text
      const problems = textProblems(text, options, check)
      return problems.length > 0 ? refuse(...problems) : text
    },
    { type: 'string', minLength: options.allowBlank ? undefined : 1, maxLength: options.maxLength, ...described },
  )

export const charField = (options: TextOptions = {}) => checkedTextField(options, () => [])
