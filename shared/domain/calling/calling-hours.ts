import type { Lead } from '../../schema/lead.ts'
import { explicitZone } from './explicit-zone.ts'
import type { Hours } from './hours.ts'

/** Where a lead's zone was found. */
export type TimezoneSource = 'timezone' | 'default'

export interface CallingHours {
  readonly timezones: readonly string[]
  readonly source: TimezoneSource
  readonly hours: readonly Hours[]
}

/** 47 CFR 64.1200(c)(1): 8 a.m. to 9 p.m. at the called party's location. */
const FEDERAL = { start: 8 * 60, end: 21 * 60, rule: 'federal', citation: '47 CFR 64.1200(c)(1); 16 CFR 310.4(c)' }

/** Daytime in all fifty states when the zone is that of the east coast. */
const UNKNOWN_LOCATION = { start: 14 * 60, end: 20 * 60, rule: 'unknown location', citation: null }

/** The hours in which a lead may be called, by where it is; the narrow default when that is not known. */
export const callingHours = (lead: Pick<Lead, 'metadata'>, defaultTimezone: string): CallingHours => {
  const zone = explicitZone(lead)
  return zone
    ? { timezones: [zone], source: 'timezone', hours: [{ zone, ...FEDERAL }] }
    : { timezones: [defaultTimezone], source: 'default', hours: [{ zone: defaultTimezone, ...UNKNOWN_LOCATION }] }
}
