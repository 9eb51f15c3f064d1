import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import * as v from 'valibot'
import { LATER_AREA_CODES } from '../../data/area-codes.ts'
import { invalid } from '../../platform/values/errors.ts'
import { Dictionary, field, fieldErrors, fields, type Refusal, refuse } from './field.ts'
import { readText } from './text.ts'

const NANP = '1'
/** Digits of a number of the North American plan, without its country code. */
const NANP_DIGITS = 10

/** E.164 allows no more digits. */
const MOST_DIGITS = 15

/** Characters. No notation of a number is longer. */
const LONGEST = 250

/** The parser would read `;` and `,` as an extension, so two numbers in one field would pass as one. */
const SEPARATORS = /[;,]/

/** The digits of a number whose area code the parser does not know yet. */
const LATER = new RegExp(`^(?:${Object.values(LATER_AREA_CODES).flat().join('|')})[2-9]\\d{6}$`)

const parsed = (text: string) =>
  text.length > LONGEST || SEPARATORS.test(text) ? undefined : parsePhoneNumberFromString(text, { defaultCountry: 'US', extract: false })

/** The number in a text, without an extension, even if no such number exists. Undefined when the text is no phone number. */
export const numberIn = (text: string): string | undefined => parsed(text)?.number

/**
 * A phone number as E.164. Numbers of the North American plan may have any notation, others must begin with `+`.
 * @returns undefined for an invalid number
 */
const e164 = (text: string): string | undefined => {
  const number = parsed(text)
  if (!number) return undefined
  const isNanp = number.countryCallingCode === NANP
  if (!number.isValid() && !(isNanp && LATER.test(number.nationalNumber))) return undefined
  return isNanp || text.startsWith('+') ? number.number : undefined
}

/** Whether some number has this area code. The exchange 234 is in use everywhere. */
const isAssigned = (areaCode: string): boolean => e164(`+1${areaCode}2345678`) !== undefined

const whyNoNanp = (digits: string): string => {
  if (digits.length !== NANP_DIGITS) return ` A North American number has ${NANP_DIGITS} digits after the 1.`
  const areaCode = digits.slice(0, 3)
  if (!isAssigned(areaCode)) return ` The area code ${areaCode} is not assigned.`
  return /^...[01]/.test(digits) ? ' After the area code, the next digit cannot be 0 or 1.' : ''
}

const whyNoInternational = (text: string, digits: string): string => {
  if (digits.startsWith(NANP)) return whyNoNanp(digits.slice(1))
  const code = parsePhoneNumberFromString(text)?.countryCallingCode
  return code === undefined ? '' : ` The country code ${code} has no such numbers.`
}

const NO_COUNTRY_CODE = ' The country code is missing.'

/** A sentence that tells why a number is not valid. Nothing when that is unclear. Never the number itself, because it is personal data. */
const whyNot = (text: string): string => {
  if (SEPARATORS.test(text)) return ' Send one number, without an extension.'
  const digits = text.slice(0, LONGEST).replace(/\D/g, '')
  if (digits.length === 0) return ' It has no digits.'
  if (text.startsWith('+')) return whyNoInternational(text, digits)
  if (digits.startsWith('00')) return ' Write + instead of 00.'
  if (digits.length > MOST_DIGITS) return ' It has too many digits.'
  if (digits.startsWith('0')) return NO_COUNTRY_CODE
  if (digits.length === NANP_DIGITS - 3) return ' The area code is missing.'
  if (digits.length < NANP_DIGITS) return ' It has too few digits.'
  if (digits.length === NANP_DIGITS) return whyNoNanp(digits)
  return digits.length === NANP_DIGITS + 1 && digits.startsWith(NANP) ? whyNoNanp(digits.slice(1)) : NO_COUNTRY_CODE
}

const FORMS =
  'Send a North American number with its area code, such as (212) 555-0123. Any other number begins with + and its country code, ' +
  'such as +442079460958.'

/** The message for a number that is not valid: why, and which numbers are. */
export const invalidPhone = (text: string): string => `The phone number entered is not valid.${whyNot(text)} ${FORMS}`

export const phoneField = () =>
  field(
    (value): string | Refusal => {
      const text = readText(value)
      if (typeof text !== 'string') return text
      return e164(text) ?? refuse(invalidPhone(text))
    },
    { type: 'string', minLength: 1, examples: ['+12125550123', '(212) 555-0123'] },
  )

/** In a query, a plus sign that was not escaped arrives as a space. */
const withPlus = (query: Record<string, unknown>): Record<string, unknown> => {
  const { phone_number: text } = query
  return typeof text === 'string' ? { ...query, phone_number: text.replace(/^ (?=\d)/, '+') } : query
}

/** A query about a phone number. */
export const PhoneQuery = v.pipe(Dictionary, v.transform(withPlus), fields({ phone_number: phoneField() }))

/** The phone number that a query asks about, in E.164. @throws ServiceError when it is missing or not valid */
export const askedPhone = (query: Readonly<Record<string, string>>): string => {
  const { success, output, issues } = v.safeParse(PhoneQuery, query)
  if (!success) throw invalid(fieldErrors(issues))
  return output.phone_number
}
