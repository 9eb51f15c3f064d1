import { checkedTextField } from './text.ts'

/** `{{name}}`, `{{metadata.us_state}}`. */
const PLACEHOLDER = /(?<!\{)\{\{\s*[^{}\s.]+(\.[^{}\s.]+)*\s*\}\}(?!\})/g
const WEB_ADDRESS = /^https?:\/\/[^/?#\\\s]/i
const BLANKS = /[\s\p{Cc}]/u

const problems = (text: string): readonly string[] => {
  const filled = text.replace(PLACEHOLDER, 'x')
  if (filled.includes('{{') || filled.includes('}}')) return ['Placeholders must have the form {{name}} or {{name.nested}}.']
  if (!WEB_ADDRESS.test(text) || BLANKS.test(filled) || !URL.canParse(filled)) return ['Enter a valid URL.']
  if (/^[^/]*\/\/[^/?#]*\{\{/.test(text)) return ['The host may not hold a placeholder.']
  const { username, password } = new URL(filled)
  return username !== '' || password !== '' ? ['Enter a valid URL without credentials.'] : []
}

/** The web address of a destination, 1 to 255 characters, kept as sent. Placeholders may stand anywhere after the host. */
export const destinationField = () => checkedTextField({ maxLength: 255 }, problems, { examples: ['https://example.com/{{trigger}}'] })
