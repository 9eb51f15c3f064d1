import { nameOfState, zonesOfState } from '../../../location/rules/state.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { hoursAt } from '../calling-hours.ts'
import { CONFIDENCES, type Confidence } from '../calling-rules.ts'
import { judgeHours } from '../gates/time.ts'
import type { CallingPolicy } from '../policy.ts'
import { JURISDICTIONS, type Law } from '../rules.ts'
import type { Verdict } from '../verdict.ts'
import { type Hours, inForceAt, lastStart, localDay, mayStart, nextStart } from './hours.ts'
import { type RuleDates, ruleDates } from './rule-dates.ts'

/** When calls may start in one time zone of a state. */
interface ZoneHours {
  readonly zone: string
  readonly isOpen: boolean
  /** When calls may start on the local day: from the first instant, before the second. Null: not on this day. */
  readonly window: readonly [from: Instant, until: Instant] | null
  /** The first instant, not before the one that was asked about, at which a call may start. Null: none within 400 days. */
  readonly next: Instant | null
}

/** When a lead may be called of which only the state is known. */
export interface StateHours {
  readonly code: string
  readonly name: string
  readonly confidence: Confidence
  /** The rules that are in force at the instant. */
  readonly rules: readonly RuleDates[]
  /** As the gate `window` gives it: a call must be lawful in every zone. */
  readonly verdict: Verdict
  readonly zones: readonly ZoneHours[]
}

/** No law and no account lets calls start before midnight and go on after it, so a day has one window. */
const windowOfDay = (hours: readonly Hours[], zone: string, at: Instant): ZoneHours['window'] => {
  const { day, midnight } = localDay(zone, at)
  const from = nextStart(hours, midnight)
  if (from === null || localDay(zone, from).day !== day) return null
  return [from, lastStart(hours, from) + 1]
}

const zoneHours = (all: readonly Hours[], zone: string, at: Instant): ZoneHours => {
  const hours = all.filter((each) => each.zone === zone)
  return { zone, isOpen: mayStart(hours, at), window: windowOfDay(hours, zone, at), next: nextStart(hours, at) }
}

/** The lowest one of the laws that are in force in the zones. There are two of them while a change has reached only some zones. */
const confidenceOf = (laws: readonly Law[], zones: readonly string[], at: Instant): Confidence => {
  const found = laws.filter(
    ({ hours }) =>
      inForceAt(
        zones.map((zone) => ({ zone, ...hours })),
        at,
      ).length > 0,
  )
  return CONFIDENCES.findLast((confidence) => found.some((law) => law.confidence === confidence)) ?? 'low'
}

/** When calls may start in every state, district and territory. Not in the regions of military mail, from which no local time follows. */
export const stateHours = (policy: CallingPolicy, at: Instant): StateHours[] =>
  [...JURISDICTIONS].flatMap(([code, laws]) => {
    if (laws.some(({ isMailRegion }) => isMailRegion)) return []
    const timezones = zonesOfState(code)
    const hours = hoursAt({ timezones, jurisdictions: [code], isKnown: true, presumed: null }, policy)
    return {
      code,
      name: nameOfState(code),
      confidence: confidenceOf(laws, timezones, at),
      rules: ruleDates(inForceAt(hours, at)),
      verdict: judgeHours(hours, { timezones, timezoneSource: 'state', remarks: [] }, at),
      zones: timezones.map((zone) => zoneHours(hours, zone, at)),
    }
  })
