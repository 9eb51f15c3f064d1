import * as v from 'valibot'
import { Call } from '../../calling/call.ts'
import { buildPayload } from '../../events/api/payload.ts'
import type { LeadEvent } from '../../events/event.ts'
import type { Sms } from '../../events/sms.ts'
import { Lead } from '../../leads/lead.ts'
import { MINUTE } from '../../platform/values/durations.ts'

/** Sorts before all others, because a replay or a test is no newer than the lead's real events. */
export const NO_SEQUENCE = '0'.repeat(40)

/** The highest possible id. No lead will get it. */
const NOBODY = 2 ** 31 - 1

/** One of the numbers that are reserved for examples. */
const PHONE = '+12125550100'

type SampleInput = Pick<LeadEvent, 'event_id' | 'event_time' | 'trigger' | 'owner'>

const sampleLead = ({ owner, event_time }: SampleInput): Lead =>
  v.parse(Lead, {
    ...{ id: NOBODY, owner, version: 1, position: 1, cause: 'create' },
    ...{ phone_number: PHONE, email: 'test@example.com', lead_source: 'test', status: 'OPEN', status_reason: 'UNKNOWN' },
    metadata: { first_name: 'Test', last_name: 'Lead' },
    ...{ created_time: event_time - MINUTE, modified_time: event_time, received_time: event_time - MINUTE },
    ...{ attempts: 1, last_chat: `${NOBODY}-1` },
  })

const sampleCall = ({ owner, event_time }: SampleInput): Call =>
  v.parse(Call, {
    ...{ call_id: `${NOBODY}-1`, lead: NOBODY, owner, attempt: 1, call_direction: 'outbound' },
    ...{ phone_number: PHONE, phone_key: '', agent: '', verdicts: {}, intent_time: event_time - MINUTE, not_after: event_time },
    ...{ accepted_time: event_time - MINUTE, answered_time: event_time - MINUTE, ended_time: event_time, completed_time: event_time },
    ...{ reported_outcome: 'completed', outcome: 'COMPLETED', is_contact: true, summary: 'A test call.', duration_seconds: 60 },
  })

const sampleSms = ({ owner, event_time }: SampleInput): Sms => ({
  ...{ sms_id: 'test', lead: NOBODY, owner, call_id: `${NOBODY}-1`, phone_number: PHONE },
  ...{ direction: 'inbound', body: 'A test message.', status: 'received', time: event_time },
})

/** Triggers whose events come from a call. */
const CALL_TRIGGER = /^CALL_(?!DNC)|^(BEFORE_CALLING|LEAD_UPDATED|LEAD_FIRST_INBOUND|SMS_COMPLETE)$/

/** The body of a test event: as for its trigger, but about a lead that does not exist, and marked as a test. */
export const testPayload = (input: SampleInput) => {
  const [lead, lastChat] = [sampleLead(input), sampleCall(input)]
  const call = CALL_TRIGGER.test(input.trigger) ? lastChat : null
  const sms = input.trigger === 'SMS_COMPLETE' ? { sms: sampleSms(input) } : {}
  const event = { ...input, sequence: NO_SEQUENCE, lead_id: lead.id, lead, call, call_id: call?.call_id ?? null, ...sms }
  return { ...buildPayload(event, { lead, call, lastChat }), test: true }
}
