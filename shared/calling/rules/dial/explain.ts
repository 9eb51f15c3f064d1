import type { Instant } from '../../../platform/values/values.ts'
import { judge } from '../gates/judge.ts'
import { capacity } from '../gates/owner.ts'
import { attemptCap } from '../gates/person.ts'
import { startTime, window } from '../gates/time.ts'
import type { Gate, GateInputs, Verdict } from '../verdict.ts'

/** Why a lead may, or may not, be called at an instant. */
export interface Explanation {
  readonly at: Instant
  /** Whether every gate passes, but for the one that waits for the next call to be due. */
  readonly callable: boolean
  /** The first instant from then on at which time alone makes the gates pass; null when something has to change before. */
  readonly nextCallableTime: Instant | null
  /** Of all gates, in their order. */
  readonly verdicts: readonly Verdict[]
}

/** The facts with another clock: what happened after that instant had not happened by then. All else is as it was found. */
const factsAt = (facts: GateInputs, at: Instant): GateInputs => {
  const attempts = at < facts.now ? facts.phone.attempts.filter((attempt) => attempt <= at) : facts.phone.attempts
  return { ...facts, now: at, phone: { ...facts.phone, attempts } }
}

/** Phones and lines are free again when calls end: who asks later finds them so, though nobody knows when. */
const isBusy = ({ gate, next_time }: Verdict, { owner }: GateInputs): boolean =>
  gate === 'call_in_progress' || (gate === 'capacity' && next_time === null && owner.lines > 0)

/** What refuses, and neither time nor the end of a call makes pass: somebody has to change something. */
export const firstLasting = (facts: GateInputs, verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find((verdict) => !verdict.passed && verdict.next_time === null && verdict.gate !== 'due' && !isBusy(verdict, facts))

/** Gates that open by the clock and can be planned for. */
export const PLANNED: readonly Gate[] = [startTime, window, attemptCap]

/** An agent that is not asked for a while is one more thing that time lifts. */
const CLOCKED: readonly Gate[] = [...PLANNED, capacity]

export interface Opening {
  /** Null when there is none. */
  readonly at: Instant | null
  /** The refusals on the way there. */
  readonly refusals: readonly Verdict[]
}

/** The first instant at or after `from` at which all of the gates pass, busy lines aside. */
export const firstOpening = (facts: GateInputs, from: Instant, gates: readonly Gate[]): Opening => {
  const refusals: Verdict[] = []
  let at = from
  for (;;) {
    const then = factsAt(facts, at)
    const closed = gates.map((gate) => gate(then)).filter((verdict) => !verdict.passed && !isBusy(verdict, facts))
    refusals.push(...closed)
    if (closed.length === 0) return { at, refusals }
    if (closed.some(({ next_time }) => next_time === null)) return { at: null, refusals }
    // Each gate names the first instant at which it passes: before the latest of them not all do.
    at = Math.max(at, ...closed.map(({ next_time }) => next_time ?? at))
  }
}

/** Every gate's verdict on a call at an instant of the facts' past or future, and the next instant at which it could be made. */
export const explain = (facts: GateInputs, at: Instant): Explanation => {
  const verdicts = judge(factsAt(facts, at))
  return {
    at,
    callable: verdicts.every(({ gate, passed }) => passed || gate === 'due'),
    nextCallableTime: firstLasting(facts, verdicts) ? null : firstOpening(facts, at, CLOCKED).at,
    verdicts,
  }
}
