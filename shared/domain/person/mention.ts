import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** What people put between the groups of a number; also a dash of several bytes. */
const GAP = '[^0-9A-Za-z]{0,4}'
/** And between any digits, where groups are not known. */
const SMALL_GAP = '[^0-9A-Za-z]{0,2}'
const NANP = /^\+1(\d{3})(\d{3})(\d{4})$/

const spaced = (digits: string): string => [...digits].join(SMALL_GAP)

const nationalPattern = (phoneNumber: string): string => {
  const [, area, exchange, line] = NANP.exec(phoneNumber) ?? []
  if (area && exchange && line) return `(?:(?:(?:\\+|00|011|0)${GAP})?1${GAP})?\\(?${area}${GAP}${exchange}${GAP}${line}`
  const number = parsePhoneNumberFromString(phoneNumber)
  if (!number) throw new Error('Not a phone number in E.164.')
  return `(?:(?:(?:\\+|00|011)${GAP})?${spaced(number.countryCallingCode)}${GAP}(?:\\(?0\\)?${GAP})?|0${GAP})${spaced(number.nationalNumber)}`
}

/**
 * Finds a phone number in text, in any common notation, with or without its country's code; not as a part of a longer number.
 * @param phoneNumber in E.164
 */
export const mentionsOf = (phoneNumber: string): RegExp => new RegExp(`(?<!\\d)${nationalPattern(phoneNumber)}(?!\\d)`, 'g')

export const isMentioned = (mentions: RegExp, text: string): boolean => text.search(mentions) >= 0

/** No mention is longer, in bytes. */
const LONGEST = 128
/** Text in UTF-16 has one with each ASCII character. */
const NULL = '\0'

/**
 * Where a stream of bytes mentions a number, as offsets: in any encoding of which ASCII is a part, however the stream is cut, in constant
 * memory but for the offsets. In UTF-16 they are about right.
 */
export const mentionOffsets = async (mentions: RegExp, stream: AsyncIterable<Uint8Array>): Promise<number[]> => {
  const found = new Set<number>()
  let tail = ''
  let base = 0
  const search = (text: string, isEnd: boolean): void => {
    for (const { index, 0: match } of text.matchAll(mentions)) {
      // What stood before the first character is not known any more, what comes after the last not yet: another text has both.
      const isKnown = (index > 0 || base === 0) && (isEnd || index + match.length < text.length)
      if (isKnown) found.add(base + index)
    }
    if (text.includes(NULL) && isMentioned(mentions, text.replaceAll(NULL, ''))) found.add(base)
  }
  for await (const chunk of stream) {
    const text = tail + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
    search(text, false)
    tail = text.slice(-2 * LONGEST)
    base += text.length - tail.length
  }
  search(tail, true)
  return [...found]
}
