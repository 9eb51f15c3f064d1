import { representCall } from '../../calling/api/call.ts'
import type { Call } from '../../calling/call.ts'
import { EMPTY_CALL } from '../../calling/rules/empty-call.ts'
import { representLead } from '../../leads/api/lead-response.ts'
import type { PublishedLead } from '../../leads/lead.ts'
import { formatInstant } from '../../platform/values/time.ts'
import type { LeadEvent } from '../event.ts'
import type { Sms } from '../sms.ts'

/** A text message as webhooks carry it. */
const representSms = ({ sms_id, call_id, phone_number, direction, body, status, time }: Sms) => ({
  sms_id,
  call_id,
  phone_number,
  direction,
  body,
  status,
  time: formatInstant(time),
})

/** The data of an event's payload: the lead, the event's call, and the lead's latest call. */
export interface PayloadInputs {
  readonly lead: PublishedLead
  readonly call: Call | null
  readonly lastChat: Call | null
}

/** A call's completion is written before the lead names it as its latest. The event's own call may therefore be the later one. */
const latestCompleted = (calls: readonly (Call | null)[]): Call | undefined =>
  calls
    .filter((call) => call !== null && call.completed_time !== null)
    .toSorted((a, b) => (b?.completed_time ?? 0) - (a?.completed_time ?? 0))[0] ?? undefined

const representChat = (call: Call) => {
  const { lead, call_status, failure_reason, representative, external_ids, transfer, ...chat } = representCall(call)
  return chat
}

/** The call as it was at its intent. The stored call may have progressed since. */
const asIntended = (call: Call): Call => ({ ...call, ...EMPTY_CALL })

/** The body of a webhook: the fields of the Lead object, and what happened. */
export const buildPayload = (event: LeadEvent, { lead, call: read, lastChat }: PayloadInputs) => {
  const call = read && event.trigger === 'BEFORE_CALLING' ? asIntended(read) : read
  const latest = latestCompleted([call, lastChat])
  return {
    ...representLead(lead),
    trigger: event.trigger,
    event_id: event.event_id,
    event_time: formatInstant(event.event_time),
    sequence: event.sequence,
    call_count: lead.attempts,
    last_chat: latest ? representChat(latest) : null,
    ...(call && { call: representCall(call) }),
    ...(event.sms && { sms: representSms(event.sms) }),
  }
}
