/** What stands between the parts of a phone number. */
const [AREA, GAP] = [/[ )./-]{0,3}/.source, /[ ./-]{0,2}/.source]

const PHONES = [
  // With the country's number, also as it stands in the path or the query of a URL. */
  /(?:\+|%2b)\d(?:[ ().-]{0,2}\d){6,14}/gi,
  // Of North America. Not in the midst of a hash, a UUID or a longer number.
  new RegExp(`(?<![\\da-f])(?:1${GAP})?\\(?[2-9]\\d\\d${AREA}[2-9]\\d\\d${GAP}\\d{4}(?![\\da-f])`, 'g'),
]
/** As far before the `@` as an address may have characters there. */
const EMAIL =
  /([^\s@%"'`<>()[\],;:=\\/])[^\s@%"'`<>()[\],;:=\\/]{0,63}(?:@|%40)([^\s@"'`<>()[\],;:=\\/])[^\s@"'`<>()[\],;:=\\/]*(\.\p{L}{2,})/gu
/** API keys, secrets that sign, and what authenticates in others' headers. */
const SECRETS = [/\b((?:lok|whsec)_)[\w+/=]+/g, /\b((?:Basic|Bearer|Token) )[\w.~+/=-]{8,}/g]

const maskedPhone = (phone: string): string => `***${phone.slice(-2)}`

/**
 * A text without whole phone numbers, email addresses, keys and secrets: `***01`, `a***@d***.com`, `lok_***`. A net below those who
 * log nothing of the kind, and so rather too tight: a number that only looks like one goes too.
 */
export const masked = (text: string): string => {
  const unnamed = SECRETS.reduce((rest, pattern) => rest.replace(pattern, '$1***'), text).replace(EMAIL, '$1***@$2***$3')
  return PHONES.reduce((rest, pattern) => rest.replace(pattern, maskedPhone), unnamed)
}
