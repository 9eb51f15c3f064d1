import type { Lead } from '../../leads/lead.ts'
import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { zoneOffset } from '../../platform/values/zones.ts'
import { isInternational, isOnlyPresumed, type Location } from './locate.ts'
import { readSaid } from './said.ts'
import { isZoneOfState, zonesOfState } from './state.ts'

/** Clocks of two zones may agree in one season only: compare them in both. */
const HALF_A_YEAR = 182 * DAY

const hasClockOf = (zone: string, other: string, at: Instant): boolean =>
  zone === other || [at, at + HALF_A_YEAR].every((moment) => zoneOffset(zone, moment) === zoneOffset(other, moment))

/**
 * A remark on a lead whose explicit time zone is none of its state's. The explicit zone decides, and the state's rules apply in its local
 * time. But one of the two may be wrong. `at`: clocks are compared at this instant, and half a year later.
 */
export const strayZoneRemarks = (
  lead: Pick<Lead, 'metadata' | 'us_state'>,
  { state, source, timezoneSource }: Pick<Location, 'state' | 'source' | 'timezoneSource'>,
  at: Instant,
): string[] => {
  if (timezoneSource !== 'timezone' || state === null) return []
  const there = zonesOfState(state)
  const said = readSaid(lead).zones ?? []
  if (there.length === 0 || said.some((zone) => there.some((other) => hasClockOf(zone, other, at)))) return []
  const named = said.join(' and ')
  const are = said.length === 1 ? 'is' : 'are'
  return [`timezone: ${named} ${are} not in ${state}, the state from ${source}: the rules of ${state} apply by the clock of ${named}.`]
}

/** A remark on a lead of which only the time zone is known. An area code names no state, even where the law presumes that the phone is there. */
export const noStateRemarks = (
  lead: Pick<Lead, 'phone_number'>,
  location: Pick<Location, 'isKnown' | 'jurisdictions' | 'presumed' | 'timezones'>,
): string[] => {
  const isNamed = location.jurisdictions.some((code) => !isOnlyPresumed(location, code))
  // Canada and the Caribbean have no state to send.
  if (isInternational(lead) || !location.isKnown || isNamed || !location.timezones.some(isZoneOfState)) return []
  return [
    'The time zone of the lead is known, but not its state. So the hours, Sundays, holidays and daily caps of its state are not applied. Send a us_state or a zip.',
  ]
}
