import * as v from 'valibot'
import { invalid } from '../../platform/values/errors.ts'
import { Dictionary, field, fieldErrors, fields, type Refusal, refuse } from './field.ts'
import { didYouMean, listed } from './nearest.ts'
import { pythonText, pythonType } from './python.ts'
import { youSent } from './you-sent.ts'

const TRUE_WORDS = new Set(['t', 'y', 'yes', 'true', 'on', '1'])
const FALSE_WORDS = new Set(['f', 'n', 'no', 'false', 'off', '0'])

/** More choices are not listed. */
const MOST_LISTED = 30

/** Suggests a choice for a text that is none. */
type Suggest = (text: string) => string

/** The message for a value that is no choice. `suggest`: default, the most similar choice, or all of them. */
export const unknownChoice = (value: unknown, choices: readonly string[], suggest?: Suggest): string => {
  const text = typeof value === 'string' ? value.trim() : ''
  const near = suggest ? suggest(text) : text && didYouMean(text, choices)
  const all = choices.length > 0 && choices.length <= MOST_LISTED ? ` The choices are ${listed(choices)}.` : ''
  return `"${pythonText(value)}" is not a valid choice.${near || all}`
}

export const booleanField = () =>
  field(
    (value): boolean | Refusal => {
      const word = typeof value === 'object' ? '' : String(value).toLowerCase()
      if (TRUE_WORDS.has(word)) return true
      return FALSE_WORDS.has(word) ? false : refuse(`Must be a valid boolean. Send true or false.${youSent(value)}`)
    },
    { type: 'boolean' },
  )

/** Whether a query asks for an addition to the answer. @throws ServiceError when the parameter is not a boolean */
export const asksFor = (query: Readonly<Record<string, string>>, name: string): boolean => {
  const given = query[name]
  const Query = v.pipe(Dictionary, fields({ [name]: v.optional(booleanField(), false) }))
  const { success, output, issues } = v.safeParse(Query, given === undefined ? {} : { [name]: given })
  if (!success) throw invalid(fieldErrors(issues))
  return output[name] === true
}

/** One of `choices`, spelled exactly. */
export const choiceField = <T extends string>(choices: readonly T[], suggest?: Suggest) =>
  field((value): T | Refusal => choices.find((choice) => choice === value) ?? refuse(unknownChoice(value, choices, suggest)), {
    enum: choices,
  })

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
      return unknown.length > 0 ? refuse(...unknown.slice(0, choices.length).map((item) => unknownChoice(item, choices))) : chosen
    },
    { type: 'array', items: { enum: choices }, minItems: 1 },
  )
