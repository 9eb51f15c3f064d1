import * as v from 'valibot'

/** Most characters of a summary, and most bytes of JSON of an appointment. */
export const SUMMARY_LENGTH = 4000
export const APPOINTMENT_BYTES = 16 * 1024
/** Most characters of a text message: ten segments of 153. */
export const SMS_LENGTH = 1530
/** Seconds. The longest duration that a call may report. */
export const LONGEST_CALL = 86_400

/** Most characters of a name or an id from another system. */
export const NAME_LENGTH = 255

/** Levels of nesting in reported JSON. Deeper values become null. */
const MAX_DEPTH = 100

/** The first `length` code points. A cut inside a code point would leave half a surrogate pair, which the table refuses. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : [...text.slice(0, 2 * length)].slice(0, length).join('')

/** Text from another system, cut to `length` code points. Lone surrogates are replaced. */
export const reportedText = (length: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => cut(text.toWellFormed(), length)),
  )

/** JSON whose texts and keys have no lone surrogates. Values beyond `MAX_DEPTH` levels become null. */
export const wellFormed = (value: unknown, levels = MAX_DEPTH): unknown => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((item) => wellFormed(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item, levels - 1)]))
}
