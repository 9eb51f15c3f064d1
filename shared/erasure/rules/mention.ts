import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Zeros of other digits in which phone numbers are read: full-width, Arabic, and Persian. */
const OTHER_ZEROS = [0xff10, 0x660, 0x6f0]
const DIGITS = '0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9'

/** Characters between the groups of a number, also percent-encoded. */
const GAP = `(?:%[0-9A-Fa-f]{2}|[^${DIGITS}A-Za-z]){0,4}`
/** Characters between any digits that the phone number parser ignores. */
const PASSED_OVER =
  '[-\u2010-\u2015\u2212\u30fc\uff0d\uff0f/\uff0e. \u00a0\u00ad\u200b\u2060\u3000()\uff08\uff09\uff3b\uff3d[\\]~\u2053\u223c\uff5e]{0,3}'
/** Characters between any digits when the groups are unknown. */
const SMALL_GAP = `[^${DIGITS}A-Za-z]{0,3}`
const PLUS = '[+\uff0b]'
const NANP = /^\+1(\d{3})(\d{3})(\d{4})$/

const digit = (own: string): string => `[${own}${OTHER_ZEROS.map((zero) => String.fromCharCode(zero + Number(own))).join('')}]`
const written = (digits: string, between = ''): string => [...digits].map(digit).join(between)

/** Spreadsheets write long numbers like this: 2.125550001E+09 */
const scientific = (digits: string): string => `${digits[0]}[.,]${digits.slice(1).replace(/0{1,15}$/, '')}0*[eE]\\+?0?${digits.length - 1}`

const nationalPattern = (phoneNumber: string): string => {
  const [, area, exchange, line] = NANP.exec(phoneNumber) ?? []
  if (area && exchange && line) {
    const country = `(?:(?:(?:${PLUS}|${written('00')}|${written('011')}|${digit('0')})${GAP})?${digit('1')}${GAP})?`
    const groups = [area, exchange, line].map((group) => written(group)).join(GAP)
    const national = `${area}${exchange}${line}`
    return `${scientific(national)}|${scientific(`1${national}`)}|${country}[(\uff08]?(?:${groups}|${written(national, PASSED_OVER)})`
  }
  const number = parsePhoneNumberFromString(phoneNumber)
  if (!number) throw new Error('Not a phone number in E.164.')
  const country = `(?:(?:${PLUS}|${written('00')}|${written('011')})${GAP})?${written(number.countryCallingCode, SMALL_GAP)}${GAP}`
  return `(?:${country}(?:\\(?${digit('0')}\\)?${GAP})?|${digit('0')}${GAP})${written(number.nationalNumber, SMALL_GAP)}`
}

/** The hex digits of a percent-encoded character do not count as digits before the number. */
const START = `(?:(?<=%[0-9A-Fa-f]{2})|(?<![${DIGITS}]))`

/**
 * Finds a phone number in text, in any notation that is read, with or without its country code. A part of a longer number does not match.
 * @param phoneNumber in E.164
 */
export const mentionsOf = (phoneNumber: string): RegExp => new RegExp(`${START}(?:${nationalPattern(phoneNumber)})(?![${DIGITS}])`, 'g')

export const isMentioned = (mentions: RegExp, text: string): boolean => text.search(mentions) >= 0

/** Characters. No mention is longer. */
const LONGEST = 128
/** UTF-16 text has one beside each ASCII character. */
const NULL = '\0'

/** A match at the edge of a chunk may be part of a longer number. The next chunk overlaps, so it shows that match with its surroundings. */
const isWholly = (mentions: RegExp, text: string, { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean }): boolean =>
  [...text.matchAll(mentions)].some(({ index, 0: match }) => (index > 0 || isStart) && (isEnd || index + match.length < text.length))

/**
 * Whether a byte stream mentions a number, across any chunk borders, in constant memory.
 * It is decoded as UTF-8. In other encodings based on ASCII, each non-ASCII byte counts as a separator. The null characters of UTF-16 are
 * ignored.
 */
export const isMentionedIn = async (mentions: RegExp, stream: AsyncIterable<Uint8Array>): Promise<boolean> => {
  const decoder = new TextDecoder()
  let tail = ''
  let isStart = true
  const isFound = (text: string, isEnd: boolean): boolean =>
    isWholly(mentions, text, { isStart, isEnd }) ||
    (text.includes(NULL) && isWholly(mentions, text.replaceAll(NULL, ''), { isStart, isEnd }))
  for await (const chunk of stream) {
    const text = tail + decoder.decode(chunk, { stream: true })
    if (isFound(text, false)) return true
    tail = text.slice(-2 * LONGEST)
    isStart &&= tail.length === text.length
  }
  return isFound(tail + decoder.decode(), true)
}
