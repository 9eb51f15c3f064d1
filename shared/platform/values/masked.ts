/** Separators between the parts of a phone number. */
const [AREA, GAP] = [/[ )./-]{0,3}/.source, /[ ./-]{0,2}/.source]

/** Start of a number: no digit before it, except those of a percent-escape. */
const START = /(?:(?<!\d)|(?<=%[\da-f]{2}))/.source

const PHONE = [
  // With a country code, also as written in the path or query of a URL.
  /(?:\+|%2b)\d(?:[ ().-]{0,2}\d){6,14}/.source,
  // North American, without a plus.
  `${START}(?:1${GAP})?\\(?[2-9]\\d\\d${AREA}[2-9]\\d\\d${GAP}\\d{4}(?!\\d)`,
  // From other countries, without a plus. Does not begin with 1: an instant in milliseconds does, and has as many digits.
  `${START}[2-9]\\d{10,14}(?!\\d)`,
].join('|')

/** Has such digits, but is no phone number: UUIDs, hashes, and AWS account numbers in an ARN or a queue's URL. */
const NO_PHONE = [
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.source,
  /[\da-f]{24,}/.source,
  /arn:[\w-]{1,20}:[\w-]{1,40}:[\w-]{0,40}:\d{12}(?!\d)/.source,
  /amazonaws\.com\/\d{12}(?!\d)/.source,
].join('|')

const PHONES = new RegExp(`(${NO_PHONE})|${PHONE}`, 'gi')
/** Matches as many characters before and after the `@` as an address may have. */
const EMAIL =
  /([^\s@%"'`<>()[\],;:=\\/])[^\s@%"'`<>()[\],;:=\\/]{0,63}(?:@|%40)([^\s@"'`<>()[\],;:=\\/])[^\s@"'`<>()[\],;:=\\/]{0,253}(\.\p{L}{2,})/gu
/** API keys, signing secrets, and credentials in headers. */
const SECRETS = [/\b((?:lok|whsec)_)[\w+/=]+/g, /\b((?:Basic|Bearer|Token) )[\w.~+/=-]{8,}/g]

const maskedPhone = (phone: string): string => `***${phone.slice(-2)}`

/** Most characters of a text that are checked and logged: a log line holds 256 KB. */
export const MOST_MASKED = 20_000
/** Characters that are dropped at a cut: they may begin something that must be masked. */
const UNSURE_END = 512

const maskedWhole = (text: string): string => {
  const unnamed = SECRETS.reduce((rest, pattern) => rest.replace(pattern, '$1***'), text).replace(EMAIL, '$1***@$2***$3')
  return unnamed.replace(PHONES, (found: string, spared?: string) => spared ?? maskedPhone(found))
}

/**
 * A text without whole phone numbers, email addresses, keys and secrets: `***01`, `a***@d***.com`, `lok_***`. This is a safety net: code
 * should log none of these. It is strict, so numbers that only look like phone numbers are masked too. A very long text is cut.
 */
export const masked = (text: string): string =>
  text.length <= MOST_MASKED ? maskedWhole(text) : `${maskedWhole(text.slice(0, MOST_MASKED)).slice(0, -UNSURE_END)}…`
