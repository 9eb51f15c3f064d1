import { checkedTextField } from './text.ts'
import { youSent } from './you-sent.ts'

/** `{{name}}`, `{{metadata.us_state}}`. */
export const PLACEHOLDER = /(?<!\{)\{\{\s*([^{}\s.]+(?:\.[^{}\s.]+)*)\s*\}\}(?!\})/g
const WEB_ADDRESS = /^https?:\/\/[^/?#\\\s]/i
const BLANKS = /[\s\p{Cc}]/u
/** A placeholder before the path, including one in the scheme. */
const EARLY_PLACEHOLDER = /^[^/?#\\]*(\/\/[^/?#\\]*)?\{\{/

/** Scheme, host and port, also of a text that is no URL. */
const START = /^(?:[a-z][a-z\d+.-]*:)?[/\\]*[^/?#\\\s]*/i

/** The value up to its path, because path and query may hold secrets. Nothing if it may hold credentials. */
const startSent = (text: string): string => {
  const [start = ''] = START.exec(text) ?? []
  return text.includes('@') ? '' : youSent(start === text ? text : `${start}…`)
}

const whyInvalid = (text: string, filled: string): string => {
  if (!WEB_ADDRESS.test(text)) return 'It must begin with http:// or https://, followed by a host.'
  return BLANKS.test(filled) ? 'It must not hold blanks. Write %20 instead.' : 'The host or the port is not valid.'
}

// A digit, so that a port stays valid.
const fill = (text: string): string => text.replace(PLACEHOLDER, '1')

/** A destination as a URL. Its scheme, host and port hold no placeholder, so they are final. @throws Error when it is not a URL */
export const destinationUrl = (text: string): URL => new URL(fill(text))

const problems = (text: string): readonly string[] => {
  const filled = fill(text)
  if (filled.includes('{{') || filled.includes('}}')) return ['Placeholders must have the form {{name}} or {{name.nested}}.']
  if (EARLY_PLACEHOLDER.test(text)) return ['The scheme, host and port may not hold a placeholder.']
  if (!WEB_ADDRESS.test(text) || BLANKS.test(filled) || !URL.canParse(filled))
    return [`Enter a valid URL. ${whyInvalid(text, filled)}${startSent(text)}`]
  const { username, password } = new URL(filled)
  return username !== '' || password !== '' ? ['Enter a valid URL without credentials.'] : []
}

/** The URL of a destination, 1 to 255 characters, stored as sent. Placeholders may appear anywhere after the host. */
export const destinationField = () => checkedTextField({ maxLength: 255 }, problems, { examples: ['https://example.com/{{trigger}}'] })

const secureProblems = (text: string): readonly string[] => {
  if (!/^https:\/\/[^/?#\\\s]/i.test(text)) return [`Enter a valid URL. It must begin with https://, followed by a host.${startSent(text)}`]
  if (BLANKS.test(text) || !URL.canParse(text)) return [`Enter a valid URL. ${whyInvalid(text, text)}${startSent(text)}`]
  const { username, password } = new URL(text)
  return username !== '' || password !== '' ? ['Enter a valid URL without credentials.'] : []
}

/** An address that people open, such as that of a proof, 1 to 2000 characters, stored as sent. The service never asks it. */
export const secureUrlField = () => checkedTextField({ maxLength: 2000 }, secureProblems, { format: 'uri' })
