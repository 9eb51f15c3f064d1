import { formatInTimeZone, getTimezoneOffset } from 'date-fns-tz'
import type { Instant } from '../schema/values.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** `2026-11-20T16:00:00.123000+00:00`: six fraction digits and a numeric offset, in the given zone. */
export const formatInstant = (instant: Instant, zone = 'UTC'): string =>
  formatInTimeZone(instant, zone, "yyyy-MM-dd'T'HH:mm:ss.SSS'000'xxx")

/** As `formatInstant`, of what may be absent. */
export const formatOptional = (instant: Instant | null, zone?: string): string | null =>
  instant === null ? null : formatInstant(instant, zone)

/** `11/20/2026 16:00`: how the metadata of a lead tells when it was created. */
export const formatCreatedAt = (instant: Instant, zone = 'UTC'): string => formatInTimeZone(instant, zone, 'MM/dd/yyyy HH:mm')

/** Whether a name is one of the time-zone database that this runtime knows. */
export const isZone = (name: string): boolean => /[A-Za-z]/.test(name) && !Number.isNaN(getTimezoneOffset(name, 0))

/** Milliseconds that the zone's clock is ahead of UTC at an instant; negative west of Greenwich. */
export const zoneOffset = (zone: string, at: Instant): number => getTimezoneOffset(zone, at)
