import { field, type Refusal, refuse } from './field.ts'
import { pythonText, pythonType } from './python.ts'

const TRUE_WORDS = new Set(['t', 'y', 'yes', 'true', 'on', '1'])
const FALSE_WORDS = new Set(['f', 'n', 'no', 'false', 'off', '0'])

const unknownChoice = (value: unknown): string => `"${pythonText(value)}" is not a valid choice.`

export const booleanField = () =>
  field(
    (value): boolean | Refusal => {
      const word = typeof value === 'object' ? '' : String(value).toLowerCase()
      if (TRUE_WORDS.has(word)) return true
      return FALSE_WORDS.has(word) ? false : refuse('Must be a valid boolean.')
    },
    { type: 'boolean' },
  )

/** One of `choices`, spelled exactly. */
export const choiceField = <T extends string>(choices: readonly T[]) =>
  field((value): T | Refusal => choices.find((choice) => choice === value) ?? refuse(unknownChoice(value)), { enum: choices })

/** At least one of `choices`, without duplicates. A string counts as a list of one. */
export const choicesField = <T extends string>(choices: readonly T[]) =>
  field(
    (value): T[] | Refusal => {
      const items: unknown = typeof value === 'string' ? [value] : value
      if (!Array.isArray(items)) return refuse(`Expected a list of items but got type "${pythonType(items)}".`)
      if (items.length === 0) return refuse('This list may not be empty.')
      const distinct = [...new Set<unknown>(items)]
      const chosen = distinct.flatMap((item) => choices.find((choice) => choice === item) ?? [])
      const unknown = distinct.filter((item) => !choices.some((choice) => choice === item))
      return unknown.length > 0 ? refuse(...unknown.slice(0, choices.length).map(unknownChoice)) : chosen
    },
    { type: 'array', items: { enum: choices }, minItems: 1 },
  )
