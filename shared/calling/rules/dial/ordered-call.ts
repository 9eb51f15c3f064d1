import { LATEST } from '../../../http/fields/date-time.ts'
import type { Lead } from '../../../leads/lead.ts'
import { formatInstant } from '../../../platform/values/time.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { judge } from '../gates/judge.ts'
import type { NextCall } from '../next-call.ts'
import type { GateInputs } from '../verdict.ts'
import { ageingRefusalAt, firstOpening, lastingRefusal, PLANNED } from './explain.ts'

/** The result of a client's order to call a lead. `next`: undefined when the order is refused. */
export interface OrderedCall {
  readonly next: NextCall | undefined
  /** In a sentence: when the lead is called. Also why, if the request was refused or moved to another time. */
  readonly detail: string
}

const refused = (detail: string): OrderedCall => ({ next: undefined, detail: `Not scheduled. ${detail}` })

const scheduled = (next_call_time: Instant, detail: string): OrderedCall => ({
  next: { next_call_time, next_call_time_reason: 'SCHEDULED', due_list: 'CALL', held_by: null, promised_time: null },
  detail,
})

/** The order replaces a callback that was promised before. */
const withoutPromise = (lead: Lead): Lead => ({ ...lead, promised_time: null })

/**
 * The call that a client orders for an instant; null: as soon as possible. It moves to the first instant that law, caps and the lead's
 * own start time allow. The order is refused when only a change could make the call possible. It is also refused while a call to the lead
 * may be in progress. That call's outcome decides what comes next.
 */
export const orderedCall = (found: GateInputs, wanted: Instant | null): OrderedCall => {
  const inputs = { ...found, lead: withoutPromise(found.lead) }
  const lasting = lastingRefusal(inputs, judge(inputs))
  if (lasting) return refused(lasting.detail)
  if (inputs.lead.current_call !== null)
    return refused('A call to the lead is in progress; its outcome decides when the lead is called next.')
  const from = Math.max(wanted ?? inputs.now, inputs.now)
  const { at, refusals } = firstOpening(inputs, from, PLANNED)
  const reasons = refusals.map(({ detail }) => detail).join(' ')
  if (at === null || at > LATEST) return refused(reasons)
  const later = ageingRefusalAt(inputs, at)
  const but = later ? ` But unless something changes, the gate ${later.gate} will refuse it then: ${later.detail}` : ''
  if (at === from) return scheduled(at, `The call is scheduled for ${wanted === null ? 'now' : formatInstant(at)}.${but}`)
  const instead = wanted === null ? 'the next time that is available' : `the first possible time after ${formatInstant(from)}`
  return scheduled(at, `The call is scheduled for ${formatInstant(at)}, ${instead}. ${reasons}${but}`)
}
