/** What stands between the parts of a phone number. */
const [AREA, GAP] = [/[ )./-]{0,3}/.source, /[ ./-]{0,2}/.source]

/** Where no number goes on that began before. The digits of a percent-escape are none of what follows it. */
const START = /(?:(?<!\d)|(?<=%[\da-f]{2}))/.source

const PHONE = [
  // With the country's number, also as it stands in the path or the query of a URL.
  /(?:\+|%2b)\d(?:[ ().-]{0,2}\d){6,14}/.source,
  // Of North America.
  `${START}(?:1${GAP})?\\(?[2-9]\\d\\d${AREA}[2-9]\\d\\d${GAP}\\d{4}(?!\\d)`,
  // Of another country, without the plus: an instant in milliseconds has as many digits, and begins with 1.
  `${START}[2-9]\\d{10,14}(?!\\d)`,
].join('|')

/** What has such digits and is none: UUIDs, hashes, and the number of an AWS account where it stands in an ARN or a queue's URL. */
const NO_PHONE = [
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.source,
  /[\da-f]{24,}/.source,
  /arn:[\w-]{1,20}:[\w-]{1,40}:[\w-]{0,40}:\d{12}(?!\d)/.source,
  /amazonaws\.com\/\d{12}(?!\d)/.source,
].join('|')

const PHONES = new RegExp(`(${NO_PHONE})|${PHONE}`, 'gi')
/** As far before and after the `@` as an address may have characters there. */
const EMAIL =
  /([^\s@%"'`<>()[\],;:=\\/])[^\s@%"'`<>()[\],;:=\\/]{0,63}(?:@|%40)([^\s@"'`<>()[\],;:=\\/])[^\s@"'`<>()[\],;:=\\/]{0,253}(\.\p{L}{2,})/gu
/** API keys, secrets that sign, and what authenticates in others' headers. */
const SECRETS = [/\b((?:lok|whsec)_)[\w+/=]+/g, /\b((?:Basic|Bearer|Token) )[\w.~+/=-]{8,}/g]

const maskedPhone = (phone: string): string => `***${phone.slice(-2)}`

/** Characters of a text that are looked at, and logged: one line of a log holds 256 KB. */
export const MOST_MASKED = 20_000
/** At the end of a text that is cut, what may be the beginning of something that is masked. */
const UNSURE_END = 512

const maskedWhole = (text: string): string => {
  const unnamed = SECRETS.reduce((rest, pattern) => rest.replace(pattern, '$1***'), text).replace(EMAIL, '$1***@$2***$3')
  return unnamed.replace(PHONES, (found: string, spared?: string) => spared ?? maskedPhone(found))
}

/**
 * A text without whole phone numbers, email addresses, keys and secrets: `***01`, `a***@d***.com`, `lok_***`. A net below those who
 * log nothing of the kind, and so rather too tight: a number that only looks like one goes too. A very long text is cut.
 */
export const masked = (text: string): string =>
  text.length <= MOST_MASKED ? maskedWhole(text) : `${maskedWhole(text.slice(0, MOST_MASKED)).slice(0, -UNSURE_END)}…`
