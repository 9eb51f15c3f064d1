import { MINUTE } from './durations.ts'
import type { Instant } from './values.ts'
import { zoneOffset } from './zones.ts'

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Whole minutes that the zone is ahead of UTC. Local mean times of long ago have seconds, but ISO 8601 offsets do not. */
const offsetMinutes = (zone: string, instant: Instant): number => Math.trunc(zoneOffset(zone, instant) / MINUTE)

/** Local time of a zone at an instant, as ISO 8601 without an offset: `2026-11-20T16:00:00.123`. */
const clockFace = (instant: Instant, zone: string): string =>
  new Date(instant + offsetMinutes(zone, instant) * MINUTE).toISOString().slice(0, -1)

/** The zone of all datetimes that this process returns. */
let outputZone = 'UTC'

/** Sets the default zone of datetimes. The zone is a setting of the deployment: each run sets it first. */
export const returnDatetimesIn = (zone: string): void => {
  outputZone = zone
}

/** `2026-11-20T16:00:00.123000+00:00`: six fraction digits and a numeric offset. */
export const formatInstant = (instant: Instant, zone = outputZone): string => {
  const minutes = offsetMinutes(zone, instant)
  const offset = `${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`
  return `${clockFace(instant, zone)}000${minutes < 0 ? '-' : '+'}${offset}`
}

/** As `formatInstant`, for optional values. */
export const formatOptional = (instant: Instant | null): string | null => (instant === null ? null : formatInstant(instant))

/** `11/20/2026 16:00`: the creation time in a lead's metadata. */
export const formatCreatedAt = (instant: Instant, zone = outputZone): string => {
  const [date = '', time = ''] = clockFace(instant, zone).split('T')
  const [year, month, day] = date.split('-')
  return `${month}/${day}/${year} ${time.slice(0, 5)}`
}
