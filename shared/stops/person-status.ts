import type { Call } from '../calling/call.ts'
import { getLead } from '../leads/lead-store.ts'
import type { LeadStatus } from '../platform/values/values.ts'
import { getPhone } from './phone-store.ts'
import { isStoppedSince, isUnderStop } from './rules/under-stop.ts'

/** The person's status, which an agent gets with each answer. */
export interface PersonStatus {
  readonly call_dnc: boolean
  readonly sms_dnc: boolean
  readonly lead_status: LeadStatus
  /** The agent must end the call. */
  readonly cancel: boolean
}

/** The present status of a call's person. `call`: as it is now. */
export const personStatusOf = async (call: Call): Promise<PersonStatus> => {
  const [lead, phone] = await Promise.all([getLead(call.lead), getPhone(call.phone_key)])
  return {
    call_dnc: isUnderStop('call', { call, lead, phone }),
    sms_dnc: isUnderStop('sms', { call, lead, phone }),
    lead_status: lead?.status ?? 'UNKNOWN',
    cancel: isStoppedSince(call, lead, phone),
  }
}
