import { transferLegs } from '../../agents/rules/transfer-legs.ts'
import type { Call, CallStatus } from '../call.ts'

/** Whether somebody took the call. A transfer or collected data proves it when the report of the answer was lost. */
export const isAnswered = ({ answered_time, talked_time, transfers_told }: Call): boolean =>
  answered_time !== null || talked_time !== null || transfers_told !== null

/** Whether a request of the agent proves a conversation. After the end of the call it does not: the agent's code may still send one. */
export const mayBeTalking = ({ ended_time, completed_time }: Call): boolean => ended_time === null && completed_time === null

/**
 * Derives a call's status from its milestones, whatever the order of the reports. After a failed transfer, the person is with the agent
 * again.
 */
export const callStatus = (call: Call): CallStatus => {
  if (call.refused_time !== null) return 'FAILED'
  if (call.completed_time !== null) return 'COMPLETED'
  if (call.unknown_time !== null) return 'UNKNOWN'
  if (call.ended_time !== null) return 'COMPLETED'
  if (transferLegs(call).at(-1)?.ended_time === null) return 'TRANSFERRING'
  if (isAnswered(call)) return 'IN_PROGRESS'
  if (call.accepted_time !== null || call.heard_time !== null) return 'DIALING'
  return 'QUEUED'
}

/** Whether somebody is on the phone, as far as the agent has reported. */
export const isLive = (call: Call): boolean => {
  const status = callStatus(call)
  return status === 'IN_PROGRESS' || status === 'TRANSFERRING'
}
