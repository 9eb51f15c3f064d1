import { explain, lastingRefusal } from '../dial/explain.ts'
import type { Prospect } from '../preview.ts'
import type { GateInputs } from '../verdict.ts'

/** The planned time of the next call counts: the lead is not called earlier. */
export const prospectOf = (facts: GateInputs): Prospect => {
  const { nextCallableTime: time, verdicts, refusedLater } = explain(facts, Math.max(facts.now, facts.lead.next_call_time ?? facts.now))
  if (time !== null) return { time }
  const refusal = refusedLater ?? lastingRefusal(facts, verdicts) ?? verdicts.find(({ passed }) => !passed)
  return { gate: refusal?.gate ?? 'due' }
}
