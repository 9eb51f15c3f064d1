import { HOUR } from '../../../platform/values/durations.ts'
import { GATE_NAMES, type GateName, type Instant } from '../../../platform/values/values.ts'
import { explain, firstLasting } from '../dial/explain.ts'
import type { GateInputs } from '../verdict.ts'

/** When a lead would be called, or the gate that refuses it until somebody changes something. */
type Prospect = { readonly time: Instant } | { readonly gate: GateName }

/** The planned time of the next call counts: the lead is not called earlier. */
export const prospectOf = (facts: GateInputs): Prospect => {
  const { nextCallableTime: time, verdicts } = explain(facts, Math.max(facts.now, facts.lead.next_call_time ?? facts.now))
  if (time !== null) return { time }
  const refusal = firstLasting(facts, verdicts) ?? verdicts.find(({ passed }) => !passed)
  return { gate: refusal?.gate ?? 'due' }
}

/** How many leads would be called when. */
export interface Preview {
  readonly callableNow: number
  /** By the start of the hour, the earliest first. Leads that may be called now are not here. */
  readonly byHour: readonly { readonly hour: Instant; readonly leads: number }[]
  /** In the order of the gates. */
  readonly skipped: readonly { readonly gate: GateName; readonly leads: number }[]
}

export const previewOf = (prospects: readonly Prospect[], now: Instant): Preview => {
  const times = prospects.flatMap((prospect) => ('time' in prospect ? [prospect.time] : []))
  const gates = prospects.flatMap((prospect) => ('gate' in prospect ? [prospect.gate] : []))
  const hours = Map.groupBy(
    times.filter((time) => time > now),
    (time) => Math.floor(time / HOUR) * HOUR,
  )
  return {
    callableNow: times.filter((time) => time <= now).length,
    byHour: [...hours].map(([hour, { length }]) => ({ hour, leads: length })).toSorted((one, other) => one.hour - other.hour),
    skipped: GATE_NAMES.map((gate) => ({ gate, leads: gates.filter((name) => name === gate).length })).filter(({ leads }) => leads > 0),
  }
}
