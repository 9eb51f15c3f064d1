import type { Call } from '../../calling/call.ts'
import type { Lead } from '../../leads/lead.ts'
import type { Channel, Phone } from '../compliance.ts'

/** Who is in a call, or is to be. */
interface Party {
  readonly call: Pick<Call, 'phone_number'>
  readonly lead: Lead | undefined
  /** The call's. */
  readonly phone: Pick<Phone, `${Channel}_dnc`>
}

/**
 * Whether "do not contact" stands against the person of a call. A lead's flag is that of its phone: one that it was given during the
 * call says nothing of the one in the call.
 */
export const isUnderStop = (channel: Channel, { call, lead, phone }: Party): boolean =>
  phone[`${channel}_dnc`] || (lead !== undefined && lead.phone_number === call.phone_number && lead[`${channel}_dnc`])
