import * as v from 'valibot'
import { booleanField } from '../../http/fields/choice.ts'
import { Refusal, refuse } from '../../http/fields/field.ts'
import { MAX_DIGITS, TOO_LARGE_NUMBER } from '../../http/fields/number.ts'
import type { TRANSFORM_NAMES, Transform } from '../field-mapping.ts'
import { dateReader } from './dates.ts'

const SUFFIX = /^(jr|sr|ii|iii|iv|v|md|phd|esq)\.?$/i

const wordsOf = (text: string): string[] =>
  text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')

interface NameParts {
  /** Empty when there is none. */
  readonly first: string
  readonly last: string
}

/**
 * Splits a full name into its first word and the rest: `Ann de la Cruz`. `Cruz, Ann` is in reverse order. A suffix such as `Jr.` is
 * dropped.
 */
const splitName = (fullName: string): NameParts => {
  const [before = '', ...after] = fullName.split(',').map((part) => part.trim())
  const given = after.filter((part) => part !== '' && !SUFFIX.test(part))
  if (given.length > 0) return { first: wordsOf(given.join(' '))[0] ?? '', last: wordsOf(before).join(' ') }
  const words = wordsOf(before)
  const kept = words.length > 2 && SUFFIX.test(words.at(-1) ?? '') ? words.slice(0, -1) : words
  return { first: kept[0] ?? '', last: kept.slice(1).join(' ') }
}

/** Each word with a capital first letter and the rest in lower case: `O'Neil-Smith`. */
const capitalize = (text: string): string =>
  text.toLowerCase().replace(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`)

type Change = (value: unknown) => unknown

/** A change of text. Numbers and booleans are converted to text first. */
const ofText =
  (change: (text: string) => unknown): Change =>
  (value) =>
    typeof value === 'object' ? refuse('Not a valid string.') : change(String(value))

const NUMBER = /^([+-]?)[$€£]?\s*(\d{1,3}(?:,\d{3})+|\d*)(\.\d+)?$/

/** A double keeps this many digits exactly. */
const SAFE_DIGITS = 15

const withoutLeadingZeros = (digits: string): string => {
  let at = 0
  while (digits[at] === '0') at++
  return digits.slice(at)
}

const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

/** Whether a double keeps every digit of a number without an exponent. */
const isKept = (sign: string, whole: string, fraction: string): boolean => {
  if (withoutLeadingZeros(whole + fraction).length <= SAFE_DIGITS) return true
  const normalized = `${sign}${whole === '' ? '' : withoutLeadingZeros(whole) || '0'}${fraction && `.${fraction}`}`
  return Number.isSafeInteger(Math.trunc(Number(normalized))) && String(Number(normalized)) === normalized
}

/** Reads a number as people write it. A number stays text when a double would change its digits. */
const readNumber = (text: string): number | string | Refusal => {
  if (text.length > MAX_DIGITS) return refuse(TOO_LARGE_NUMBER)
  const [, sign, whole = '', fraction = ''] = NUMBER.exec(text.trim()) ?? []
  if (sign === undefined || whole + fraction === '') return refuse('A valid number is required.')
  const [minus, digits] = [sign === '-' ? '-' : '', whole.replaceAll(',', '')]
  const written = `${minus}${digits}${fraction}`
  return isKept(minus, digits, withoutTrailingZeros(fraction.slice(1))) ? Number(written) : written
}

const toBoolean: Change = (value) => {
  const result = v.safeParse(booleanField(), typeof value === 'string' ? value.trim() : value)
  return result.success ? result.output : refuse(...result.issues.map(({ message }) => message))
}

const CHANGES: Readonly<Record<(typeof TRANSFORM_NAMES)[number], Change>> = {
  trim: ofText((text) => text.trim()),
  lower: ofText((text) => text.toLowerCase()),
  upper: ofText((text) => text.toUpperCase()),
  capitalize: ofText(capitalize),
  digits: ofText((text) => text.replace(/\D+/g, '')),
  boolean: toBoolean,
  number: ofText(readNumber),
  first_name: ofText((text) => splitName(text).first),
  last_name: ofText((text) => splitName(text).last),
}

const changeFor = (transform: Transform): Change =>
  typeof transform === 'string' ? CHANGES[transform] : ofText(dateReader(transform.date))

/** Applies all transforms in order. Stops at the first refusal. */
export const compileTransforms = (transforms: readonly Transform[]): Change => {
  const changes = transforms.map(changeFor)
  return (value) => changes.reduce<unknown>((changed, change) => (changed instanceof Refusal ? changed : change(changed)), value)
}
