import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Where the digits begin that phone numbers are read with beside our own: of full width, Arabic, and Persian. */
const OTHER_ZEROS = [0xff10, 0x660, 0x6f0]
const DIGITS = '0-9\uff10-\uff19\u0660-\u0669\u06f0-\u06f9'

/** What people put between the groups of a number; also as URLs have it. */
const GAP = `(?:%[0-9A-Fa-f]{2}|[^${DIGITS}A-Za-z]){0,4}`
/** What the parser of phone numbers passes over between any digits. */
const PASSED_OVER =
  '[-\u2010-\u2015\u2212\u30fc\uff0d\uff0f/\uff0e. \u00a0\u00ad\u200b\u2060\u3000()\uff08\uff09\uff3b\uff3d[\\]~\u2053\u223c\uff5e]{0,3}'
/** And what may be there where groups are not known. */
const SMALL_GAP = `[^${DIGITS}A-Za-z]{0,3}`
const PLUS = '[+\uff0b]'
const NANP = /^\+1(\d{3})(\d{3})(\d{4})$/

const digit = (own: string): string => `[${own}${OTHER_ZEROS.map((zero) => String.fromCharCode(zero + Number(own))).join('')}]`
const written = (digits: string, between = ''): string => [...digits].map(digit).join(between)

/** As spreadsheets write long numbers: 2.125550001E+09 */
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

/** A character that a URL writes as a number is no digit before it. */
const START = `(?:(?<=%[0-9A-Fa-f]{2})|(?<![${DIGITS}]))`

/**
 * Finds a phone number in text, in any notation in which it is read, with or without its country's code; not as a part of a longer number.
 * @param phoneNumber in E.164
 */
export const mentionsOf = (phoneNumber: string): RegExp => new RegExp(`${START}(?:${nationalPattern(phoneNumber)})(?![${DIGITS}])`, 'g')

export const isMentioned = (mentions: RegExp, text: string): boolean => text.search(mentions) >= 0

/** No mention is longer, in characters. */
const LONGEST = 128
/** Text in UTF-16 has one with each ASCII character. */
const NULL = '\0'

/** What stood before a text that is cut is not known, nor what comes after it: a text that overlaps it has both. */
const isWholly = (mentions: RegExp, text: string, { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean }): boolean =>
  [...text.matchAll(mentions)].some(({ index, 0: match }) => (index > 0 || isStart) && (isEnd || index + match.length < text.length))

/**
 * Whether a stream of bytes mentions a number, however it is cut, in constant memory. It is read as UTF-8; of other encodings of which
 * ASCII is a part, each byte that is none is taken for a sign between the digits, and the null characters of UTF-16 are passed over.
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
