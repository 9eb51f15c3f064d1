import * as v from 'valibot'
import { dateTimeField } from '../../http/fields/date-time.ts'
import { type Refusal, refuse } from '../../http/fields/field.ts'

const TOKEN = /YYYY|YY|MM|M|DD|D|HH|H|hh|h|mm|ss|A|[\s\S]/g
const DIGITS: Readonly<Record<string, string>> = { YYYY: '\\d{4}', YY: '\\d{2}', A: '[AaPp][Mm]' }
const NUMBERS = ['MM', 'M', 'DD', 'D', 'HH', 'H', 'hh', 'h', 'mm', 'ss']

/** Two-digit years from this one on belong to the 20th century, as in POSIX. */
const CENTURY_TURN = 69

type Parts = ReadonlyMap<string, string>

const yearOf = (parts: Parts): number => {
  const short = parts.get('YY')
  if (short === undefined) return Number(parts.get('YYYY'))
  return Number(short) + (Number(short) >= CENTURY_TURN ? 1900 : 2000)
}

const hourOf = (parts: Parts): number => {
  const hour = Number(parts.get('HH') ?? parts.get('H') ?? parts.get('hh') ?? parts.get('h') ?? 0)
  const half = parts.get('A')?.toUpperCase()
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return Number.NaN
  return (hour % 12) + (half === 'PM' ? 12 : 0)
}

const two = (number: number): string => `${number}`.padStart(2, '0')

const isoOf = (parts: Parts): string | undefined => {
  const [month, day] = [Number(parts.get('MM') ?? parts.get('M')), Number(parts.get('DD') ?? parts.get('D'))]
  const date = `${`${yearOf(parts)}`.padStart(4, '0')}-${two(month)}-${two(day)}`
  const hasTime = NUMBERS.slice(4).some((name) => parts.has(name))
  const text = hasTime ? `${date}T${two(hourOf(parts))}:${two(Number(parts.get('mm') ?? 0))}:${two(Number(parts.get('ss') ?? 0))}Z` : date
  return v.is(dateTimeField(), text) ? text : undefined
}

type ReadDate = (text: string) => string | undefined

/** A number may have a single digit, unless the format has no separators. */
const patternReader = (format: string): ReadDate => {
  const isRun = /^[A-Za-z]+$/.test(format)
  const names: string[] = []
  const pattern = (format.match(TOKEN) ?? []).map((token) => {
    const digits = DIGITS[token] ?? (NUMBERS.includes(token) ? (isRun && token.length === 2 ? '\\d{2}' : '\\d{1,2}') : undefined)
    if (digits === undefined) return token.replace(/[^\w\s]/, '\\$&')
    names.push(token)
    return `(${digits})`
  })
  const whole = new RegExp(`^${pattern.join('')}$`)
  return (text) => {
    const match = whole.exec(text)
    return match ? isoOf(new Map(names.map((name, index) => [name, match[index + 1] ?? '']))) : undefined
  }
}

const ISO_DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:\d{2})?)$/

/** Requests accept more than strict ISO 8601. Strict input stays as sent; other input is converted to ISO 8601. */
const readIso: ReadDate = (text) => {
  const { success, output: instant } = v.safeParse(dateTimeField(), text)
  if (!success) return undefined
  const [, year, month = '', day = ''] = ISO_DATE.exec(text) ?? []
  if (year !== undefined) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return ISO_INSTANT.test(text) ? text : new Date(instant).toISOString()
}

/** Twelve or more digits are milliseconds: as seconds, they would be more than 30,000 years away. */
const readEpoch: ReadDate = (text) => {
  const [, whole] = /^(\d{1,13})(\.\d*)?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  return new Date(whole.length >= 12 ? Number(whole) : Number(text) * 1000).toISOString()
}

const readerFor = (format: string): ReadDate => {
  if (format === 'ISO') return readIso
  return format === 'epoch' ? readEpoch : patternReader(format)
}

/** Reads a date in the first format that matches. The result is ISO 8601: a date, or an instant. */
export const dateReader = (formats: readonly string[]) => {
  const readers = formats.map(readerFor)
  const refusal = refuse(`Datetime has wrong format. Use one of these formats instead: ${formats.join(', ')}.`)
  return (text: string): string | Refusal => {
    for (const read of readers) {
      const iso = read(text.trim())
      if (iso !== undefined) return iso
    }
    return refusal
  }
}
