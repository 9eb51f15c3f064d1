/** What was made of something that a lead says of itself: a value, or a sentence on why there is none; neither when it says nothing. */
export interface PlaceReading<T> {
  readonly value?: T
  readonly remark?: string
}

const LONGEST_QUOTE = 40

/** What a client sent, in a sentence. It may be anything, of any length. */
export const quote = (said: unknown): string => {
  const text = typeof said === 'object' ? 'A list or an object' : `"${String(said).trim()}"`
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…"` : text
}

/** Longer than anything that tells a place. Unicode's normal form takes time with the square of the length. */
export const LONGEST_TEXT = 200

/**
 * Text as people mean it: full-width characters as their plain ones, blanks as one, none around. Empty for what says nothing, undefined for
 * what is no text, or too long to tell a place.
 */
export const plainText = (said: unknown): string | undefined => {
  if (said === null || said === undefined) return ''
  const isNumber = typeof said === 'number' && Number.isSafeInteger(said) && said >= 0
  if (typeof said !== 'string' && !isNumber) return undefined
  const text = String(said).trim()
  return text.length > LONGEST_TEXT ? undefined : text.normalize('NFKC').trim().replace(/\s+/g, ' ')
}
