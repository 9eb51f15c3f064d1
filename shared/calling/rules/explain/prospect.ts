import { explain, lastingRefusal } from '../dial/explain.ts'
import type { Prospect } from '../preview.ts'
import type { GateInputs } from '../verdict.ts'

/** The planned time of the next call counts: the lead is not called earlier. */
export const prospectOf = (inputs: GateInputs): Prospect => {
  const { nextCallableTime: time, verdicts, refusedLater } = explain(inputs, Math.max(inputs.now, inputs.lead.next_call_time ?? inputs.now))
  if (time !== null) return { time }
  const refusal = refusedLater ?? lastingRefusal(inputs, verdicts) ?? verdicts.find(({ passed }) => !passed)
  return { gate: refusal?.gate ?? 'due' }
}
