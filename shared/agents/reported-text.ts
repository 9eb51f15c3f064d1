import * as v from 'valibot'

/** Characters of a summary that are kept, and bytes of JSON of an appointment. */
export const SUMMARY_LENGTH = 4000
export const APPOINTMENT_BYTES = 16 * 1024
/** Characters of a text message: ten of its longest parts. */
export const SMS_LENGTH = 1530
/** Seconds of a call. */
export const LONGEST_CALL = 86_400

/** Characters of a name or an id of another system that are kept. */
export const NAME_LENGTH = 255

/** Levels of nesting that are kept of what others tell. */
const MAX_DEPTH = 100

/** The first `length` characters (code points): a cut through one would leave what the table does not take. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : [...text.slice(0, 2 * length)].slice(0, length).join('')

/** Text that others tell, of which at most `length` characters are kept, halves of one mended. */
export const reportedText = (length: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => cut(text.toWellFormed(), length)),
  )

/** JSON with the halves of characters in its texts and keys mended; what is nested beyond all measure is null. */
export const wellFormed = (value: unknown, levels = MAX_DEPTH): unknown => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((item) => wellFormed(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item, levels - 1)]))
}
