import { settingOf, waitsFor } from '../../../backlog/rules/holders.ts'
import type { Location } from '../../../location/rules/locate.ts'
import { noStateRemarks, strayZoneRemarks } from '../../../location/rules/stray-zone.ts'
import { formatInstant } from '../../../platform/values/time.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { callingHours } from '../calling-hours.ts'
import { awaitedOutcomeText, outcomeAwaited } from '../dial/awaited.ts'
import { type Closed, closedBecause } from '../hours/closed-because.ts'
import { type Hours, inForceAt, nextStart } from '../hours/hours.ts'
import { changesBetween, ruleDates } from '../hours/rule-dates.ts'
import { versioned } from '../rules.ts'
import { type Gate, type Verdict, verdict } from '../verdict.ts'

/** Gates that look at the clock. */

export const startTime: Gate = ({ lead, now }) => {
  const start = lead.call_schedule_start_time
  const passed = start === null || start <= now
  return verdict('start_time', passed, {
    code: passed ? 'STARTED' : 'TOO_EARLY',
    detail: passed ? 'Calling may start.' : `Calling does not start before ${formatInstant(start)}.`,
    inputs: { call_schedule_start_time: start },
    next_time: passed ? null : start,
  })
}

/** A lead that a setting holds is planned again before it is called. The setting may be reverted long after the lead's time. */
const held = (setting: string) =>
  verdict('due', false, {
    code: 'HELD',
    detail: `The lead is held back until ${waitsFor(setting)}. It is planned again within a minute of that.`,
    inputs: { next_call_time: null },
  })

export const due: Gate = ({ lead, now, awaited = [] }) => {
  const setting = settingOf(lead)
  if (setting !== undefined) return held(setting)
  const at = lead.next_call_time
  const waits = at === null ? outcomeAwaited(lead, awaited) : undefined
  if (waits) {
    const inputs = { next_call_time: null, call: waits.call.call_id }
    return verdict('due', false, { code: 'AWAITED', detail: awaitedOutcomeText(waits), inputs })
  }
  const passed = at !== null && at <= now
  return verdict('due', passed, {
    code: passed ? 'DUE' : at === null ? 'NO_CALL' : 'NOT_YET',
    detail: passed ? 'The next call is due.' : at === null ? 'No call is scheduled.' : `The next call is due at ${formatInstant(at)}.`,
    inputs: { next_call_time: at },
    next_time: passed ? null : at,
  })
}

const localTimes = (timezones: readonly string[], at: Instant): Record<string, string> =>
  Object.fromEntries(timezones.map((zone) => [zone, formatInstant(at, zone)]))

const sources = (citations: readonly (string | null)[]): string | null =>
  [...new Set(citations.flatMap((citation) => citation?.split('; ') ?? []))].join('; ') || null

const closedText = ({ rule, detail }: Closed): string => `${rule}: ${detail}`

/**
 * The verdict on a call that would start at an instant under these hours.
 * @param stray remarks to show with the decision
 */
export const judgeHours = (
  hours: readonly Hours[],
  { timezones, timezoneSource: timezone_source, remarks }: Pick<Location, 'timezones' | 'timezoneSource' | 'remarks'>,
  now: Instant,
  stray: readonly string[] = [],
): Verdict => {
  const closed = closedBecause(hours, now)
  const inForce = inForceAt(hours, now)
  const rules = ruleDates(inForce)
  const inputs = { timezones, timezone_source, local_times: localTimes(timezones, now), rules, remarks: [...remarks, ...stray] }
  if (closed.length === 0) {
    return verdict('window', true, {
      code: 'INSIDE',
      detail: ['The local time is inside the calling window.', ...stray].join(' '),
      inputs,
      rule: versioned(inForce.map(({ rule }) => rule)),
      citation: sources(inForce.map(({ citation }) => citation)),
    })
  }
  const next_time = nextStart(hours, now)
  const later = next_time === null ? [`No call may start within the next 400 days.`] : changesBetween(hours, now, next_time)
  return verdict('window', false, {
    code: 'OUTSIDE',
    detail: [...new Set([...closed.map(closedText), ...later, ...stray])].join(' '),
    inputs: { ...inputs, closed: closed.map(({ rule, zone: timezone, reason }) => ({ rule, timezone, reason })) },
    rule: versioned(closed.map(({ rule }) => rule)),
    citation: sources(closed.map(({ citation }) => citation)),
    next_time,
  })
}

export const window: Gate = ({ lead, now, policy }) => {
  const { location, hours } = callingHours(lead, policy)
  return judgeHours(hours, location, now, [...strayZoneRemarks(lead, location, now), ...noStateRemarks(lead, location)])
}
