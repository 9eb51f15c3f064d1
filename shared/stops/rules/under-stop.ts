import type { Call } from '../../calling/call.ts'
import type { Lead } from '../../leads/lead.ts'
import { isCallable } from '../../leads/rules/status.ts'
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

const isOver = (call: Call): boolean => call.completed_time !== null || call.ended_time !== null || call.refused_time !== null

/** Whether somebody withdrew the lead by a status set since the call began. A status from a call's own outcome does not end a call. */
const isWithdrawn = ({ verdicts }: Call, { status, status_reason }: Lead): boolean =>
  !isCallable(status) && status !== verdicts['status'] && status_reason !== 'CHAT'

/**
 * Whether a call in progress must end. The person must not be called any more, or the lead was withdrawn since the call began. A person
 * who calls us in spite of a stop may speak with us.
 */
export const isStoppedSince = (call: Call, lead: Lead | undefined, phone: Phone): boolean => {
  if (isOver(call)) return false
  if (!lead) return true
  return (isUnderStop('call', { call, lead, phone }) && call.verdicts['dnc'] !== 'CALL_DNC') || isWithdrawn(call, lead)
}
