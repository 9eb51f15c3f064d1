import * as v from 'valibot'
import { CallResponse } from '../../calling/api/call.ts'
import { Count, DateTime } from '../../http/responses/values.ts'
import { LeadResponse } from '../../leads/api/lead-response.ts'
import { TRIGGERS, type Trigger } from '../../platform/values/values.ts'
import { SMS_DIRECTIONS } from '../sms.ts'

/** The latest completed call, without what changes after its end. */
export const ChatResponse = v.omit(CallResponse, ['lead', 'call_status', 'failure_reason', 'representative', 'external_ids', 'transfer'])

/** A text message as clients see it. */
export const SmsResponse = v.strictObject({
  sms_id: v.string(),
  call_id: v.pipe(v.string(), v.description('The call that the message belongs to.')),
  phone_number: v.pipe(v.string(), v.description("The person's phone number.")),
  direction: v.pipe(v.nullable(v.picklist(SMS_DIRECTIONS)), v.description('`inbound`: the person wrote it.')),
  body: v.nullable(v.string()),
  status: v.nullable(v.string()),
  time: DateTime,
})

/** Fields of every event: those of the lead, and what happened. */
const eventEntries = {
  ...LeadResponse.entries,
  event_id: v.pipe(v.string(), v.description('The `webhook-id`. It stays the same when the event is sent again.')),
  event_time: v.pipe(DateTime, v.description('When the event happened.')),
  sequence: v.pipe(
    v.string(),
    v.description("Sorts as text in the order of the lead's changes. Events may arrive in another order. Zeros in a test and in a replay."),
  ),
  call_count: v.pipe(Count, v.description('Number of calls so far, in both directions.')),
  last_chat: v.pipe(v.nullable(ChatResponse), v.description('The latest completed call.')),
  test: v.optional(v.pipe(v.literal(true), v.description('Only in a test: the lead does not exist.'))),
}

/** Triggers of events of a call. */
export const CALL_TRIGGERS = ['CALL_COMPLETE', 'BEFORE_CALLING', 'CALL_FAILED', 'CALL_ENDED', 'CALL_TRANSFER_INITIATED'] as const
const SMS_TRIGGER = 'SMS_COMPLETE'

const OF_CALLS: ReadonlySet<Trigger> = new Set([...CALL_TRIGGERS, SMS_TRIGGER])
const LEAD_TRIGGERS = TRIGGERS.filter((trigger) => !OF_CALLS.has(trigger))

/** The payload of an event of a lead. */
export const LeadEventResponse = v.pipe(
  v.strictObject({ ...eventEntries, trigger: v.picklist(LEAD_TRIGGERS), call: v.optional(CallResponse) }),
  v.description('`call` is the call in which the event happened, if it happened in a call. In a replay, it is the latest completed call.'),
)

/** The payload of an event of a call. */
export const CallEventResponse = v.strictObject({ ...eventEntries, trigger: v.picklist(CALL_TRIGGERS), call: CallResponse })

/** The payload of an event of a text message. */
export const SmsEventResponse = v.pipe(
  v.strictObject({ ...eventEntries, trigger: v.literal(SMS_TRIGGER), call: v.optional(CallResponse), sms: v.optional(SmsResponse) }),
  v.description('A replay has no `sms`.'),
)
