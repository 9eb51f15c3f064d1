import type { Instant } from '../../../platform/values/values.ts'
import { callingHours } from '../calling-hours.ts'
import { judge } from '../gates/judge.ts'
import { lastStart } from '../hours/hours.ts'
import type { Gate, GateInputs, Verdict } from '../verdict.ts'
import { outcomeAwaited } from './awaited.ts'
import { AGEING, ageingRefusalAt, CLOCKED, firstOpening, inputsAt, lastingRefusal } from './explain.ts'

/** A time in which a call may start: `from` is included, `until` is not. */
interface CallingTime {
  readonly from: Instant
  readonly until: Instant
}

export interface CallingTimes {
  readonly times: readonly CallingTime[]
  /** The first gate that refuses until somebody changes something. The times then only say what the clock allows. */
  readonly blockedBy: Verdict | undefined
  /** When data become too old for calls, and the refusal then. No time is later. */
  readonly refusedLater: { readonly time: Instant; readonly verdict: Verdict } | undefined
}

/** Finds when, from an instant on, the first of these gates begins to refuse. Assumes that it never passes again. */
const firstAged = (inputs: GateInputs, gates: readonly Gate[], from: Instant, until: Instant): CallingTimes['refusedLater'] => {
  if (from >= until) return undefined
  const atOnce = ageingRefusalAt(inputs, from, gates)
  if (atOnce) return { time: from, verdict: atOnce }
  let verdict = ageingRefusalAt(inputs, until - 1, gates)
  if (!verdict) return undefined
  let [passes, time] = [from, until - 1]
  while (time - passes > 1) {
    const middle = Math.floor((passes + time) / 2)
    const refusal = ageingRefusalAt(inputs, middle, gates)
    if (refusal) {
      time = middle
      verdict = refusal
    } else passes = middle
  }
  return { time, verdict }
}

/**
 * The times in which a call to the lead may start, if nothing changes but the time. Of the gates that open by the clock, only the window
 * closes again.
 */
export const callingTimes = (inputs: GateInputs, from: Instant, until: Instant): CallingTimes => {
  const { hours } = callingHours(inputs.lead, inputs.policy)
  const waits = outcomeAwaited(inputs.lead, inputs.awaited ?? [])
  const now = inputsAt(inputs, from)
  const passing = AGEING.map((gate) => ({ gate, verdict: gate(now) })).filter(({ verdict }) => verdict.passed || verdict.next_time !== null)
  const passes = Math.max(from, ...passing.map(({ verdict }) => verdict.next_time ?? from))
  const refusedLater = firstAged(
    inputs,
    passing.map(({ gate }) => gate),
    passes,
    until,
  )
  const end = refusedLater?.time ?? until
  const times: CallingTime[] = []
  for (let at = Math.max(from, waits?.until ?? from); at < end; ) {
    const opening = firstOpening(inputs, at, CLOCKED).at
    if (opening === null || opening >= end) break
    at = lastStart(hours, opening) + 1
    times.push({ from: opening, until: Math.min(at, end) })
  }
  return { times, blockedBy: lastingRefusal(inputs, judge(inputs)), refusedLater }
}
