import type { Call, CallStatus } from '../../schema/call.ts'

/** A call's status follows from its milestones, whatever order they were told in. */
export const callStatus = (call: Call): CallStatus => {
  if (call.refused_time !== null) return 'FAILED'
  if (call.completed_time !== null) return 'COMPLETED'
  if (call.unknown_time !== null) return 'UNKNOWN'
  if (call.ended_time !== null) return 'COMPLETED'
  if (call.transfer_initiated_time !== null) return 'TRANSFERRING'
  if (call.answered_time !== null) return 'IN_PROGRESS'
  if (call.accepted_time !== null || call.heard_time !== null) return 'DIALING'
  return 'QUEUED'
}
