import { checkedTextField } from './text.ts'

export const MAX_EMAIL_LENGTH = 254
/** Characters. No longer address is valid, whatever the field allows. */
const MAX_ADDRESS = 320

const DOT_ATOM = /^[-!#$%&'*+/=?^_`{}|~0-9A-Z]+(\.[-!#$%&'*+/=?^_`{}|~0-9A-Z]+)*$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: a quoted local part may hold them
const QUOTED = /^"([\x01-\x08\x0b\x0c\x0e-\x1f!#-[\]-\x7f]|\\[\x01-\x09\x0b\x0c\x0e-\x7f])*"$/
const DOMAIN = /^([A-Z0-9]([A-Z0-9-]{0,61}[A-Z0-9])?\.)+[A-Z0-9-]{2,63}(?<!-)$/i
const INTERNATIONAL_DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u

/** A domain in its ASCII form, when it has one. */
const asciiDomain = (domain: string): string => {
  const host = `http://${domain}`
  return INTERNATIONAL_DOMAIN.test(domain) && URL.canParse(host) ? new URL(host).hostname : domain
}

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > MAX_ADDRESS) return false
  const [user, domain] = [text.slice(0, at), text.slice(at + 1)]
  return (DOT_ATOM.test(user) || QUOTED.test(user)) && (DOMAIN.test(domain) || DOMAIN.test(asciiDomain(domain)))
}

const INVALID = 'Enter a valid email address. An example is ann@example.com.'

/** An email address of at most 254 characters, as it was sent. */
export const emailField = () =>
  checkedTextField({ maxLength: MAX_EMAIL_LENGTH, noText: INVALID }, (text) => (isEmail(text) ? [] : [INVALID]), {
    format: 'email',
  })
