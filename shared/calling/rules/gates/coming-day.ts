import type { Lead } from '../../../leads/lead.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { comingDay } from '../../../reassigned/rules/days.ts'
import type { Verdict } from '../verdict.ts'

/**
 * The verdict of a gate that looks at a day in the metadata. A client may send its own today, which begins in UTC only within the next 24
 * hours. If the gate passes from then on, the refusal names this time, so that the call is moved. A lead with a later day is held as one with
 * a wrong day: on a list of held leads, it does not miss the change of a setting.
 */
export const openingOnDay = <Inputs extends { readonly lead: Lead; readonly now: Instant }>(
  judged: (inputs: Inputs) => Verdict,
  inputs: Inputs,
  field: string | null,
): Verdict => {
  const { lead, now } = inputs
  const found = judged(inputs)
  if (found.passed || field === null || !Object.hasOwn(lead.metadata, field)) return found
  const at = comingDay(lead.metadata[field], now)
  return at !== undefined && judged({ ...inputs, now: at }).passed ? { ...found, next_time: at } : found
}
