import type { Instant } from '../../../platform/values/values.ts'
import { judge } from '../gates/judge.ts'
import { capacity } from '../gates/owner.ts'
import { attemptCap } from '../gates/person.ts'
import { startTime, window } from '../gates/time.ts'
import type { Gate, GateInputs, Verdict } from '../verdict.ts'

/** Why a lead may, or may not, be called at an instant. */
export interface Explanation {
  readonly at: Instant
  /** Whether every gate passes, `due` aside. */
  readonly callable: boolean
  /**
   * The first instant, not before `at`, at which the gates pass if nothing changes but the time. Null when something else must change
   * first.
   */
  readonly nextCallableTime: Instant | null
  /** The verdicts of all gates, in the order of the gates. */
  readonly verdicts: readonly Verdict[]
}

/** The facts at another instant. Attempts after that instant are left out; everything else stays as read. */
const factsAt = (facts: GateInputs, at: Instant): GateInputs => {
  const attempts = at < facts.now ? facts.phone.attempts.filter((attempt) => attempt <= at) : facts.phone.attempts
  return { ...facts, now: at, phone: { ...facts.phone, attempts } }
}

/** Whether only running calls cause the refusal. They end by themselves, though nobody knows when. */
const isBusy = ({ gate, next_time }: Verdict, { owner }: GateInputs): boolean =>
  gate === 'call_in_progress' || (gate === 'capacity' && next_time === null && owner.lines > 0)

/** The first refusal that neither time nor the end of a call lifts: somebody must change something. */
export const firstLasting = (facts: GateInputs, verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find((verdict) => !verdict.passed && verdict.next_time === null && verdict.gate !== 'due' && !isBusy(verdict, facts))

/** Gates that open by the clock and can be planned for. */
export const PLANNED: readonly Gate[] = [startTime, window, attemptCap]

/** Time also ends the pause of an agent that failed. */
const CLOCKED: readonly Gate[] = [...PLANNED, capacity]

export interface Opening {
  /** Null when there is none. */
  readonly at: Instant | null
  /** The refusals met before `at`. */
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
    // Each gate names the first instant at which it passes. Before the latest of these, at least one still refuses.
    at = Math.max(at, ...closed.map(({ next_time }) => next_time ?? at))
  }
}

/** Every gate's verdict on a call at an instant, past or future. Also the next instant at which the call could start. */
export const explain = (facts: GateInputs, at: Instant): Explanation => {
  const verdicts = judge(factsAt(facts, at))
  return {
    at,
    callable: verdicts.every(({ gate, passed }) => passed || gate === 'due'),
    nextCallableTime: firstLasting(facts, verdicts) ? null : firstOpening(facts, at, CLOCKED).at,
    verdicts,
  }
}
