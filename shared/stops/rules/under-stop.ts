import type { Call } from '../../calling/call.ts'
import type { Lead } from '../../leads/lead.ts'
import type { Channel, Phone } from '../compliance.ts'

/** The person in a call, or in a planned one. */
interface Party {
  readonly call: Pick<Call, 'phone_number'>
  readonly lead: Lead | undefined
  /** The call's phone. */
  readonly phone: Pick<Phone, `${Channel}_dnc`>
}

/**
 * Whether "do not contact" stands against the person of a call. A lead's flag belongs to its phone. When the lead got another phone
 * during the call, the flag says nothing about the phone in the call.
 */
export const isUnderStop = (channel: Channel, { call, lead, phone }: Party): boolean =>
  phone[`${channel}_dnc`] || (lead !== undefined && lead.phone_number === call.phone_number && lead[`${channel}_dnc`])
