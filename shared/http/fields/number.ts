import { field, type Refusal, refuse } from './field.ts'
import { pythonType } from './python.ts'
import { youSent } from './you-sent.ts'

/** Most characters of a number that is sent as text. */
export const MAX_DIGITS = 1000
export const TOO_LARGE_NUMBER = 'String value too large.'
const MAX_ID = 2 ** 31 - 1

/** `12`, ` +12 `, `1_000`, `12.` and `12.00`. */
const INTEGER = /^\s*[+-]?\d+(_\d+)*(\.0*)?\s*$/

/** @returns undefined when the value is not a whole number */
const wholeNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined
  const isRead = typeof value === 'string' && value.length <= MAX_DIGITS && INTEGER.test(value)
  return isRead ? Number(value.replaceAll('_', '')) : undefined
}

const notWhole = (value: unknown): string => `A valid integer is required. Send a whole number, such as 12.${youSent(value)}`

/** A whole number from `min` to `max`, both included. */
export const integerField = ({ min = -MAX_ID - 1, max = MAX_ID }: { min?: number; max?: number } = {}) =>
  field(
    (value): number | Refusal => {
      if (typeof value === 'string' && value.length > MAX_DIGITS) return refuse(TOO_LARGE_NUMBER)
      const number = wholeNumber(value)
      if (number === undefined) return refuse(notWhole(value))
      if (number > max) return refuse(`Ensure this value is less than or equal to ${max}.`)
      if (number < min) return refuse(`Ensure this value is greater than or equal to ${min}.`)
      return number
    },
    { type: 'integer', minimum: min, maximum: max },
  )

/** 1 to `most` whole numbers, without duplicates. */
export const integersField = ({ most }: { most: number }) =>
  field(
    (value): number[] | Refusal => {
      if (!Array.isArray(value)) return refuse(`Expected a list of items but got type "${pythonType(value)}".`)
      if (value.length === 0) return refuse('This list may not be empty.')
      if (value.length > most) return refuse(`Ensure this field has no more than ${most} elements.`)
      const whole = new Set<number>()
      for (const item of value) {
        const number = wholeNumber(item)
        if (number === undefined || !Number.isSafeInteger(number)) return refuse(notWhole(item))
        whole.add(number)
      }
      return [...whole]
    },
    { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: most },
  )

/** The message for an id that names nothing the caller may use. */
export const unknownId = (id: string | number): string => `Invalid pk "${id}" - object does not exist.`

/** The id of another object. The caller must still look it up. */
export const idField = () =>
  field(
    (value): number | Refusal => {
      const id = wholeNumber(value)
      if (id === undefined) {
        const sent = typeof value === 'object' ? '' : youSent(value)
        return refuse(`Incorrect type. Expected pk value, received ${pythonType(value)}.${sent}`)
      }
      return id >= 1 && id <= MAX_ID ? id : refuse(unknownId(typeof value === 'string' ? value.trim() : id))
    },
    { type: 'integer', minimum: 1, maximum: MAX_ID },
  )
