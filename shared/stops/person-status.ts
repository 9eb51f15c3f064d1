import type { Call } from '../calling/call.ts'
import { getLead } from '../leads/lead-store.ts'
import type { LeadStatus } from '../platform/values/values.ts'
import { getPhone } from './phone-store.ts'
import { isStoppedSince } from './rules/stopped-since.ts'
import { isUnderStop } from './rules/under-stop.ts'

/** What an agent learns of the person with each answer. */
export interface PersonStatus {
  readonly call_dnc: boolean
  readonly sms_dnc: boolean
  readonly lead_status: LeadStatus
  /** The call is to be ended. */
  readonly cancel: boolean
}

/** How a call's person stands at this moment. `call`: as it is now. */
export const personStatusOf = async (call: Call): Promise<PersonStatus> => {
  const [lead, phone] = await Promise.all([getLead(call.lead), getPhone(call.phone_key)])
  return {
    call_dnc: isUnderStop('call', { call, lead, phone }),
    sms_dnc: isUnderStop('sms', { call, lead, phone }),
    lead_status: lead?.status ?? 'UNKNOWN',
    cancel: isStoppedSince(call, lead, phone),
  }
}
