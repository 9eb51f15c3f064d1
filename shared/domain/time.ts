import type { Instant } from '../schema/values.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const clocks = new Map<string, Intl.DateTimeFormat | undefined>()

/** The clock of a zone, undefined when this runtime knows none of the name. Making one costs a thousand times what reading it does. */
const clockOf = (zone: string): Intl.DateTimeFormat | undefined => {
  if (!clocks.has(zone)) clocks.set(zone, makeClock(zone))
  return clocks.get(zone)
}

const makeClock = (timeZone: string): Intl.DateTimeFormat | undefined => {
  // Offsets such as +05:00 are no zones: they know nothing of summer.
  if (!/^[A-Za-z]/.test(timeZone)) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
}

/** Whether a name is one of the time-zone database that this runtime knows. */
export const isZone = (name: string): boolean => clockOf(name) !== undefined

const OFFSET = /^GMT(?:([+-])(\d\d):(\d\d))?/

/** Milliseconds that the zone's clock is ahead of UTC at an instant; negative west of Greenwich. @throws Error for an unknown zone */
export const zoneOffset = (zone: string, at: Instant): number => {
  const name = clockOf(zone)
    ?.formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  const found = OFFSET.exec(name ?? '')
  if (!found) throw new Error(`There is no time zone ${zone}.`)
  const [, sign, hours = '0', minutes = '0'] = found
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** What a clock of the zone shows at an instant, as ISO 8601 without an offset: `2026-11-20T16:00:00.123`. */
const clockFace = (instant: Instant, zone: string): string => new Date(instant + zoneOffset(zone, instant)).toISOString().slice(0, -1)

/** `2026-11-20T16:00:00.123000+00:00`: six fraction digits and a numeric offset, in the given zone. */
export const formatInstant = (instant: Instant, zone = 'UTC'): string => {
  const minutes = zoneOffset(zone, instant) / MINUTE
  const offset = `${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`
  return `${clockFace(instant, zone)}000${minutes < 0 ? '-' : '+'}${offset}`
}

/** As `formatInstant`, of what may be absent. */
export const formatOptional = (instant: Instant | null, zone?: string): string | null =>
  instant === null ? null : formatInstant(instant, zone)

/** `11/20/2026 16:00`: how the metadata of a lead tells when it was created. */
export const formatCreatedAt = (instant: Instant, zone = 'UTC'): string => {
  const [date = '', time = ''] = clockFace(instant, zone).split('T')
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year} ${time.slice(0, 5)}`
}
