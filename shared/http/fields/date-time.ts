import { formatInstant } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'
import { field, type Refusal, refuse } from './field.ts'
import { youSent } from './you-sent.ts'

const TIME = /(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,](\d{1,6})\d{0,6})?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?/
/** A date alone means its midnight. */
const FORMAT = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:[T ]${TIME.source})?$`)

const DAY_ALONE = /^\d{4}-\d{1,2}-\d{1,2}$/

/** Whether a text that `dateTimeField` takes names a day without a clock time. */
export const isDayAlone = (value: unknown): boolean => typeof value === 'string' && DAY_ALONE.test(value.trim())

const WRONG_FORMAT = 'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'

const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
/** The last instant that an answer can show. */
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** @returns minutes east of UTC; undefined when the offset is a day or more. */
const offsetMinutes = (offset = 'Z'): number | undefined => {
  if (offset === 'Z') return 0
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  if (minutes >= 24 * 60) return undefined
  return offset.startsWith('-') ? -minutes : minutes
}

/** Characters. No datetime is longer. */
const LONGEST = 100

/** @returns undefined when the text does not name an instant that exists. */
const parseInstant = (text: string): Instant | undefined => {
  if (text.length > LONGEST) return undefined
  const match = FORMAT.exec(text)
  const offset = offsetMinutes(match?.[8])
  if (!match || offset === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0))
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  if (year < 1 || hour > 23 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour, minute - offset, second, milliseconds)
  return date.getTime()
}

/** ISO 8601; without an offset it is UTC. Returns epoch milliseconds, with finer digits cut off. */
export const dateTimeField = () =>
  field(
    (value): Instant | Refusal => {
      const instant = typeof value === 'string' ? parseInstant(value.trim()) : undefined
      if (instant === undefined) return refuse(`${WRONG_FORMAT} An example is 2026-11-20T16:00:00Z.${youSent(value)}`)
      return instant < EARLIEST || instant > LATEST ? refuse(`Datetime value out of range.${youSent(value)}`) : instant
    },
    { type: 'string', format: 'date-time' },
  )

/** The message for an instant that has passed. It tells the time of the service, because clocks differ. */
export const inThePast = (instant: Instant, now: Instant): string =>
  `This time is in the past. You sent ${formatInstant(instant)}. It is now ${formatInstant(now)}.`

/** A plus sign that was not escaped in a query arrives as a space. Only the one before an offset is restored, not the one before a time. */
export const withOffsetPlus = (text: string): string => text.trim().replace(/(:\d\d(?:[.,]\d+)?) (?=\d\d(?::?\d\d)?$)/, '$1+')

const DAY_FORMAT = /^\d{4}-\d\d-\d\d$/

/** A day as YYYY-MM-DD. */
export const dateField = () =>
  field(
    (value): string | Refusal => {
      const text = typeof value === 'string' ? value.trim() : ''
      const instant = DAY_FORMAT.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
      // A day that does not exist, such as 30 February, would become another one.
      const exists = !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
      return exists ? text : refuse(`Date has wrong format. Use one of these formats instead: YYYY-MM-DD.${youSent(value)}`)
    },
    { type: 'string', format: 'date' },
  )
