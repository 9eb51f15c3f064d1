import { cutText } from '../../platform/values/cut-text.ts'

/** The result of reading a field of a lead: a value, or a sentence on why there is none. Neither when the field is blank. */
export interface PlaceReading<T> {
  readonly value?: T
  readonly remark?: string
}

/** Characters of a value that a remark repeats. */
const LONGEST_QUOTE = 40

/** Quotes a client's value inside a sentence. The value may have any type and any length. */
export const quote = (said: unknown): string =>
  typeof said === 'object' ? 'A list or an object' : `"${cutText(String(said).trim(), LONGEST_QUOTE)}"`

/** Longer than any text that names a place. Unicode normalization takes time with the square of the length. */
export const LONGEST_TEXT = 200

/**
 * Normalized text: full-width characters become plain ones, blanks become one, and none stand around it. Empty when there is no value.
 * Undefined when the value is no text, or too long to name a place.
 */
export const plainText = (said: unknown): string | undefined => {
  if (said === null || said === undefined) return ''
  const isNumber = typeof said === 'number' && Number.isSafeInteger(said) && said >= 0
  if (typeof said !== 'string' && !isNumber) return undefined
  const text = String(said).trim()
  return text.length > LONGEST_TEXT ? undefined : text.normalize('NFKC').trim().replace(/\s+/g, ' ')
}
