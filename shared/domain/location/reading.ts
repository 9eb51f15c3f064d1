/** What was made of something that a lead says of itself: a value, or a sentence on why there is none; neither when it says nothing. */
export interface Reading<T> {
  readonly value?: T
  readonly remark?: string
}

const LONGEST_QUOTE = 40

/** What a client sent, in a sentence. It may be anything, of any length. */
export const quote = (said: unknown): string => {
  const text = typeof said === 'object' ? 'A list or an object' : `"${String(said).trim()}"`
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…"` : text
}

/**
 * Text as people mean it: full-width characters as their plain ones, blanks as one, none around. Empty for what says nothing, undefined for
 * what is no text.
 */
export const plainText = (said: unknown): string | undefined => {
  if (said === null || said === undefined) return ''
  const isNumber = typeof said === 'number' && Number.isSafeInteger(said) && said >= 0
  return typeof said === 'string' || isNumber ? String(said).normalize('NFKC').trim().replace(/\s+/g, ' ') : undefined
}
