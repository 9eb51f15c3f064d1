import type { Call } from '../../calling/call.ts'
import type { Lead } from '../../leads/lead.ts'
import { isCallable } from '../../leads/rules/status.ts'
import type { Phone } from '../compliance.ts'
import { isUnderStop } from './under-stop.ts'

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
