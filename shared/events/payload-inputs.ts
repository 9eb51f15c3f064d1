import { getCall } from '../calling/call-store.ts'
import { getLead } from '../leads/lead-store.ts'
import type { PayloadInputs } from './api/payload.ts'
import type { LeadEvent } from './event.ts'

const gather = async ({ lead: snapshot, lead_id, call: snapshotCall, call_id }: LeadEvent): Promise<PayloadInputs | undefined> => {
  const [lead, call] = await Promise.all([snapshot ?? getLead(lead_id), snapshotCall ?? (call_id === null ? null : getCall(call_id))])
  if (!lead) return undefined
  const isInEvent = call?.call_id === lead.last_chat && call?.completed_time !== null
  const lastChat = lead.last_chat === null || isInEvent ? null : await getCall(lead.last_chat)
  return { lead, call: call ?? null, lastChat: lastChat ?? null }
}

/**
 * For a lead that was erased, or changed by an erasure, an event holds only current data. Undefined when its subject no longer exists. Also
 * undefined for a text message with a number that the lead no longer has.
 */
const asItIs = async (event: LeadEvent): Promise<LeadEvent | undefined> => {
  const { lead_id, call_id, sms } = event
  const [lead, call] = await Promise.all([getLead(lead_id), call_id === null ? null : getCall(call_id)])
  if (!lead || call === undefined || (sms && sms.phone_number !== lead.phone_number)) return undefined
  return { ...event, lead, call }
}

/** @param isErased the lead was erased, or changed by an erasure. @returns undefined when there is nothing left to tell */
export const payloadInputsOf = async (
  event: LeadEvent,
  { isErased }: { readonly isErased: boolean },
): Promise<PayloadInputs | undefined> => {
  const current = isErased ? await asItIs(event) : event
  return current && gather(current)
}
