import { getCall } from '../calling/call-store.ts'
import { buildPayload } from '../events/api/payload.ts'
import { getOwnLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { notFound } from '../platform/values/errors.ts'
import { NO_SEQUENCE } from './rules/test-payload.ts'

/**
 * The payload that a webhook about this lead would have now: for its latest completed call, or for the lead without one.
 * @throws ServiceError `not_found`
 */
export const trialPayload = async (owner: number, leadId: number) => {
  const lead = await getOwnLead(owner, leadId)
  if (!lead) throw notFound()
  const call = lead.last_chat === null ? null : ((await getCall(lead.last_chat)) ?? null)
  const trigger = call ? 'CALL_COMPLETE' : 'LEAD_CREATED'
  const event = {
    event_id: `trial.${trigger}`,
    trigger,
    owner,
    lead_id: leadId,
    event_time: now(),
    sequence: NO_SEQUENCE,
    lead,
    call,
    call_id: lead.last_chat,
  } as const
  return buildPayload(event, { lead, call, lastChat: call })
}
