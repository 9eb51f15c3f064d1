import type { Instant } from '../../../platform/values/values.ts'
import { callingHours } from '../calling-hours.ts'
import { judge } from '../gates/judge.ts'
import { lastStart } from '../hours/hours.ts'
import type { GateInputs, Verdict } from '../verdict.ts'
import { outcomeAwaited } from './awaited.ts'
import { CLOCKED, firstLasting, firstOpening } from './explain.ts'

/** A time in which a call may start: `from` is included, `until` is not. */
interface CallingTime {
  readonly from: Instant
  readonly until: Instant
}

export interface CallingTimes {
  readonly times: readonly CallingTime[]
  /** The first gate that refuses until somebody changes something. The times then only say what the clock allows. */
  readonly blockedBy: Verdict | undefined
}

/**
 * The times in which a call to the lead may start, if nothing changes but the time. Of the gates that open by the clock, only the window
 * closes again.
 */
export const callingTimes = (facts: GateInputs, from: Instant, until: Instant): CallingTimes => {
  const { hours } = callingHours(facts.lead, facts.policy)
  const waits = outcomeAwaited(facts.lead, facts.awaited ?? [])
  const times: CallingTime[] = []
  for (let at = Math.max(from, waits?.until ?? from); at < until; ) {
    const opening = firstOpening(facts, at, CLOCKED).at
    if (opening === null || opening >= until) break
    at = lastStart(hours, opening) + 1
    times.push({ from: opening, until: Math.min(at, until) })
  }
  return { times, blockedBy: firstLasting(facts, judge(facts)) }
}
