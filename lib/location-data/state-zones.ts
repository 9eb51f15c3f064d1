import { DAY } from '#shared/platform/values/durations.ts'
import { US_STATES } from '#shared/platform/values/values.ts'
import { zoneOffset } from '#shared/platform/values/zones.ts'
import { OUTSIDE_THEIR_STATE } from './corrections.ts'
import type { ZipPlace } from './source-zips.ts'

/** Clocks are compared in the years in which calls are placed. */
const FROM = Date.UTC(2024, 0, 1, 12)
const DAYS = 13 * 365

const clocks = new Map<string, string>()

/** The offsets of a zone's clock on each day. Equal for zones that differ only in the past. */
export const clockOf = (zone: string): string => {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = Array.from({ length: DAYS }, (_, day) => zoneOffset(zone, FROM + day * DAY)).join()
  clocks.set(zone, clock)
  return clock
}

const countByZone = (state: string, places: ReadonlyMap<string, ZipPlace>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const [zip, place] of places) {
    if (place.state !== state || place.zone === null || OUTSIDE_THEIR_STATE.has(zip)) continue
    counts.set(place.zone, (counts.get(place.zone) ?? 0) + 1)
  }
  return counts
}

/** One zone for each clock that a state uses, the one with the most ZIPs first. None for the regions of military mail. */
const zonesOf = (state: string, places: ReadonlyMap<string, ZipPlace>): readonly string[] => {
  const zones = [...countByZone(state, places)].toSorted(([, one], [, other]) => other - one).map(([zone]) => zone)
  const firstByClock = new Map(zones.toReversed().map((zone) => [clockOf(zone), zone]))
  return zones.filter((zone) => firstByClock.get(clockOf(zone)) === zone)
}

export const stateZones = (places: ReadonlyMap<string, ZipPlace>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(US_STATES.map((state) => [state, zonesOf(state, places)]))
