import { formatInstant } from '../../../platform/values/time.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { judge } from '../gates/judge.ts'
import { capacity } from '../gates/owner.ts'
import { attemptCap, callInProgress } from '../gates/person.ts'
import { reassigned } from '../gates/reassigned.ts'
import { registry } from '../gates/registry.ts'
import { startTime, window } from '../gates/time.ts'
import type { Gate, GateInputs, Verdict } from '../verdict.ts'
import { outcomeAwaited } from './awaited.ts'

/** Why a lead may, or may not, be called at an instant. */
export interface Explanation {
  readonly at: Instant
  /** Whether every gate passes, `due` aside, and the lead waits for no outcome. */
  readonly callable: boolean
  /**
   * The first instant, not before `at`, at which the gates pass if nothing changes but the time. Null when something else must change
   * first.
   */
  readonly nextCallableTime: Instant | null
  /** The verdicts of all gates, in the order of the gates. */
  readonly verdicts: readonly Verdict[]
  /** The refusal by data that will be too old when the clock lets a call start. `nextCallableTime` is then null. */
  readonly refusedLater: Verdict | undefined
}

/**
 * The inputs at another instant. Attempts after that instant are left out, and so are calls that are given up by then. Everything else stays
 * as read.
 */
export const inputsAt = (inputs: GateInputs, at: Instant): GateInputs => {
  const attempts = at < inputs.now ? inputs.phone.attempts.filter((attempt) => attempt <= at) : inputs.phone.attempts
  const { awaited = [] } = inputs
  const given = new Set(awaited.flatMap(({ call, until }) => (until <= at ? call.call_id : [])))
  const { current_call, other_calls } = inputs.phone
  const phone = {
    ...inputs.phone,
    attempts,
    current_call: current_call !== null && given.has(current_call) ? null : current_call,
    other_calls: new Set([...other_calls].filter((call) => !given.has(call))),
  }
  return { ...inputs, now: at, phone, awaited: awaited.filter(({ until }) => until > at) }
}

/** Whether only running calls cause the refusal, and nobody knows when they end. */
const isBusy = ({ gate, next_time }: Verdict, { owner }: GateInputs): boolean =>
  next_time === null && (gate === 'call_in_progress' || (gate === 'capacity' && owner.lines > 0))

/** The first refusal that neither time nor the end of a call lifts: somebody must change something. */
export const lastingRefusal = (inputs: GateInputs, verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find((verdict) => !verdict.passed && verdict.next_time === null && verdict.gate !== 'due' && !isBusy(verdict, inputs))

/** Gates that open by the clock and can be planned for. */
export const PLANNED: readonly Gate[] = [startTime, window, attemptCap]

/** Time also ends the pause of an agent that failed, and a call without further reports. */
export const CLOCKED: readonly Gate[] = [...PLANNED, callInProgress, capacity]

/**
 * Gates that may pass now and refuse later: a list, an answer or an exemption becomes too old. They do not pass again by themselves, except on
 * a coming day in the metadata.
 */
export const AGEING: readonly Gate[] = [registry, reassigned]

export interface Opening {
  /** The first instant at which the gates pass. Null when there is no such instant. */
  readonly at: Instant | null
  /** The gates' refusals at the instants that were tried before `at`. */
  readonly refusals: readonly Verdict[]
}

/** The first instant at or after `from` at which all of the gates pass, busy lines aside. */
export const firstOpening = (inputs: GateInputs, from: Instant, gates: readonly Gate[]): Opening => {
  const refusals: Verdict[] = []
  let at = from
  for (;;) {
    const then = inputsAt(inputs, at)
    // A coming day may open a gate of AGEING. Skip refusals without `next_time`: the clock does not end them.
    const coming = AGEING.map((gate) => gate(then)).filter(({ next_time }) => next_time !== null)
    const refused = gates.map((gate) => gate(then)).filter((verdict) => !verdict.passed && !isBusy(verdict, inputs))
    const closed = [...coming, ...refused]
    refusals.push(...closed)
    if (closed.length === 0) return { at, refusals }
    if (closed.some(({ next_time }) => next_time === null)) return { at: null, refusals }
    // Each gate names the first instant at which it passes. Before the latest of these, at least one still refuses.
    at = Math.max(at, ...closed.map(({ next_time }) => next_time ?? at))
  }
}

/** The refusal of a gate that may pass now, but not at an instant at which a call could start. */
export const ageingRefusalAt = (inputs: GateInputs, at: Instant, gates = AGEING): Verdict | undefined => {
  const then = inputsAt(inputs, at)
  return gates.map((gate) => gate(then)).find(({ passed }) => !passed)
}

/** A verdict that also says that its gate will refuse at the instant at which a call could start. */
const withComingRefusal = (verdict: Verdict, later: Verdict | undefined, at: Instant): Verdict =>
  verdict.gate === later?.gate
    ? { ...verdict, detail: `${verdict.detail} At ${formatInstant(at)}, the gate will refuse: ${later.detail}` }
    : verdict

/** Every gate's verdict on a call at an instant, past or future. Also the next instant at which the call could start. */
export const explain = (inputs: GateInputs, at: Instant): Explanation => {
  const then = inputsAt(inputs, at)
  const verdicts = judge(then)
  const waits = outcomeAwaited(then.lead, then.awaited ?? [])
  const opening = lastingRefusal(inputs, verdicts) ? null : firstOpening(inputs, waits?.until ?? at, CLOCKED).at
  const refusedLater = opening === null ? undefined : ageingRefusalAt(inputs, opening)
  return {
    at,
    callable: !waits && verdicts.every(({ gate, passed }) => passed || gate === 'due'),
    nextCallableTime: refusedLater ? null : opening,
    verdicts: verdicts.map((verdict) => withComingRefusal(verdict, refusedLater, opening ?? at)),
    refusedLater,
  }
}
