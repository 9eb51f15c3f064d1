import type { Call, CallStatus } from '../../schema/call.ts'

/** A call's status follows from its milestones, whatever order they were told in. After a transfer that came to nothing the agent has the person again. */
export const callStatus = (call: Call): CallStatus => {
  if (call.refused_time !== null) return 'FAILED'
  if (call.completed_time !== null) return 'COMPLETED'
  if (call.unknown_time !== null) return 'UNKNOWN'
  if (call.ended_time !== null) return 'COMPLETED'
  const isTransferred = call.transfer_initiated_time !== null || call.transfer_connected_time !== null
  if (isTransferred) return call.transfer_ended_time === null ? 'TRANSFERRING' : 'IN_PROGRESS'
  if (call.answered_time !== null) return 'IN_PROGRESS'
  if (call.accepted_time !== null || call.heard_time !== null) return 'DIALING'
  return 'QUEUED'
}

/** Whether somebody is on the phone, as far as the agent has told. */
export const isLive = (call: Call): boolean => {
  const status = callStatus(call)
  return status === 'IN_PROGRESS' || status === 'TRANSFERRING'
}
