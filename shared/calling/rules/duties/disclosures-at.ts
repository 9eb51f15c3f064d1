import { DISCLOSURES } from '../../../data/disclosures.ts'
import { isInternational, isOnlyPresumed, type Location, stateOfAreaCode, zonesNamed } from '../../../location/rules/locate.ts'
import { statesWithClock, zonesOfState } from '../../../location/rules/state.ts'
import type { Instant } from '../../../platform/values/values.ts'
import type { Disclosure } from '../../api/disclosure.ts'
import { type Located, locationsOf } from '../calling-hours.ts'
import type { PackedDisclosure, PackedDuty } from '../calling-rules.ts'
import { isInForce, localDay } from '../hours/hours.ts'
import type { PlacePolicy } from '../policy.ts'
import { type DaySpan, daySpanOf, JURISDICTIONS } from '../rules.ts'

/** A jurisdiction in which the person may be. */
interface PossiblePlace {
  /** `federal`, or a code. */
  readonly jurisdiction: string
  /** The clocks that the person may have. At least one. */
  readonly zones: readonly string[]
  /** The only days on which the law presumes that the person is there. Null: all days. */
  readonly days: readonly DaySpan[] | null
}

/** Every state that has the clock of the lead. If the clock is unknown, or no state has it, all states. The area code may name one more. */
const statesByClock = ({ phone_number }: Located, location: Location): readonly string[] => {
  const found = location.isKnown ? statesWithClock(zonesNamed(location)) : []
  const states = found.length > 0 ? found : [...JURISDICTIONS.keys()]
  const ofAreaCode = stateOfAreaCode(phone_number)
  const all = ofAreaCode === undefined || states.includes(ofAreaCode) ? states : [...states, ofAreaCode]
  return all.filter((code) => zonesOfState(code).length > 0)
}

const placesOf = (lead: Located, location: Location, { defaultTimezone }: PlacePolicy): PossiblePlace[] => {
  const { jurisdictions, presumed, timezones } = location
  const named = jurisdictions.filter((code) => !isOnlyPresumed(location, code))
  const zones = timezones.length > 0 ? timezones : [defaultTimezone]
  const guessed = named.length > 0 || isInternational(lead) ? [] : statesByClock(lead, location)
  return [
    { jurisdiction: 'federal', zones, days: null },
    ...named.map((jurisdiction) => ({ jurisdiction, zones, days: null })),
    ...guessed.map((jurisdiction) => ({ jurisdiction, zones: zonesOfState(jurisdiction), days: null })),
    ...(presumed?.isAlone ? [{ jurisdiction: presumed.state, zones, days: presumed.days }] : []),
  ]
}

/**
 * The jurisdictions in which a lead may be, as the calling hours see it. If no state is known, it may be in each state that has its clock, and
 * in that of its area code.
 */
export const possiblePlaces = (lead: Located, policy: PlacePolicy): PossiblePlace[] =>
  locationsOf(lead, policy).flatMap((location) => placesOf(lead, location, policy))

const isDueIn = ({ zones, days }: PossiblePlace, row: DaySpan, at: Instant): boolean =>
  zones.some((zone) => {
    const { day } = localDay(zone, at)
    return isInForce(row, day) && (days?.some((some) => isInForce(some, day)) ?? true)
  })

/** The duties of a caller, by the laws of the places, on the local day of a call. Uncertain rules count too. */
export const dutiesAt = <Duty extends PackedDuty>(places: readonly PossiblePlace[], at: Instant, rows: readonly Duty[]): Duty[] =>
  rows.filter((row) => places.some((place) => place.jurisdiction === row.jurisdiction && isDueIn(place, daySpanOf(row), at)))

/** The disclosures that the laws of some places demand from a caller on the local day of a call. */
export const disclosuresAt = (
  places: readonly PossiblePlace[],
  at: Instant,
  rows: readonly PackedDisclosure[] = DISCLOSURES,
): Disclosure[] =>
  dutiesAt(places, at, rows).map(({ jurisdiction, say, within_seconds, what, citations }) => ({
    ...{ jurisdiction, say, within_seconds, what, citations },
  }))
