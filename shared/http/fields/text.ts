import { type Described, field, type Refusal, refuse } from './field.ts'

/** Of a text with more characters, only the length is checked. */
const MOST_CHECKED = 10_000

export interface TextOptions {
  /** Most characters (code points). Default: `MOST_CHECKED`. */
  readonly maxLength?: number
  readonly allowBlank?: boolean
  /** What is said of a value that is no text. */
  readonly noText?: string
}

const isLongerThan = (text: string, limit: number): boolean => {
  if (text.length <= limit) return false
  let characters = 0
  for (const _ of text) if (++characters > limit) return true
  return false
}

const firstSurrogate = (text: string): string | undefined => /[\p{Surrogate}]/u.exec(text)?.[0]

/** Text without the white space around it. Numbers are taken as their digits; anything else is no text. */
export const readText = (value: unknown, { allowBlank = false, noText = 'Not a valid string.' }: TextOptions = {}): string | Refusal => {
  if (typeof value !== 'string' && typeof value !== 'number') return refuse(noText)
  const text = String(value).trim()
  return text === '' && !allowBlank ? refuse('This field may not be blank.') : text
}

const tooLong = (limit: number): string => `Ensure this field has no more than ${limit} characters.`

/** What is wrong with a text. For a very long one, only that it is too long. */
const textProblems = (text: string, { maxLength = MOST_CHECKED }: TextOptions, check: (text: string) => readonly string[]): string[] => {
  if (text.length > MOST_CHECKED) return [tooLong(maxLength)]
  const problems: string[] = []
  if (isLongerThan(text, maxLength)) problems.push(tooLong(maxLength))
  if (text.includes('\0')) problems.push('Null characters are not allowed.')
  const surrogate = firstSurrogate(text)
  if (surrogate) problems.push(`Surrogate characters are not allowed: U+${surrogate.charCodeAt(0).toString(16).toUpperCase()}.`)
  return [...new Set([...problems, ...check(text)])]
}

/** Text that passes `check` besides; `check` names what is wrong with it. */
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
