import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { field, type Refusal, refuse } from './field.ts'
import { readText } from './text.ts'

const NANP = '1'

/** Characters. No notation of a number is longer. */
const LONGEST = 250

/** The parser would read `;` and `,` as an extension, so two numbers in one field would pass as one. */
const SEPARATORS = /[;,]/

/**
 * A phone number as E.164. Numbers of the North American plan may have any notation, others must begin with `+`.
 * @returns undefined for an invalid number
 */
const e164 = (text: string): string | undefined => {
  if (text.length > LONGEST || SEPARATORS.test(text)) return undefined
  const number = parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })
  if (!number?.isValid()) return undefined
  return number.countryCallingCode === NANP || text.startsWith('+') ? number.number : undefined
}

export const phoneField = () =>
  field(
    (value): string | Refusal => {
      const text = readText(value)
      if (typeof text !== 'string') return text
      return e164(text) ?? refuse('The phone number entered is not valid.')
    },
    { type: 'string', minLength: 1, examples: ['+12125550123', '(212) 555-0123'] },
  )
