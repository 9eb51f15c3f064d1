import type { Call } from '../../calling/call.ts'
import type { Lead } from '../../leads/lead.ts'
import { isCallable } from '../../leads/rules/status.ts'
import type { Phone } from '../compliance.ts'
import { isUnderStop } from './under-stop.ts'

const isOver = (call: Call): boolean => call.completed_time !== null || call.ended_time !== null || call.refused_time !== null

/** Whether a status ends the call: somebody set it since the call began. What a call itself came to ends no call. */
const isWithdrawn = ({ verdicts }: Call, { status, status_reason }: Lead): boolean =>
  !isCallable(status) && status !== verdicts['status'] && status_reason !== 'CHAT'

/**
 * Whether a call in progress is to be ended: the person must not be called any more, or somebody took the lead out since the call
 * began. A person who calls in spite of a stop is spoken with.
 */
export const isStoppedSince = (call: Call, lead: Lead | undefined, phone: Phone): boolean => {
  if (isOver(call)) return false
  if (!lead) return true
  return (isUnderStop('call', { call, lead, phone }) && call.verdicts['dnc'] !== 'CALL_DNC') || isWithdrawn(call, lead)
}
