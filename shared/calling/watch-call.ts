import { getLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { askAgentAgain } from './ask-agent.ts'
import type { Call } from './call.ts'
import { getCall, recordMilestones, watchFrom } from './call-store.ts'
import { cancelIfStopped } from './cancel.ts'
import { finishCall, freeLineAndPhone } from './finish/finish-call.ts'
import { callStatus } from './rules/call-status.ts'
import { silentFrom } from './rules/silence.ts'

const hasFate = (call: Call): boolean => call.completed_time !== null || call.refused_time !== null || call.unknown_time !== null

const giveUpSilent = async (call: Call): Promise<void> => {
  const lost = await recordMilestones(
    call,
    { unknown_time: now(), failure: 'The agent sent no further report about the call.' },
    { unless: ['completed_time'], unheardSince: call },
  )
  if (lost) await finishCall(lost)
}

/**
 * A call in progress is checked again later, when nothing may have been heard of it for too long. A call that is over frees its phone and
 * line at once. A call against a stop is cancelled.
 */
const leaveAlone = async (call: Call): Promise<boolean> => {
  if (call.ended_time !== null) await freeLineAndPhone(call)
  await watchFrom(call, silentFrom(call))
  return cancelIfStopped(call)
}

/**
 * Checks a call that is not finished. It asks the agent again when it has not answered. It completes what a crash left undone, and gives up
 * a silent call. Safe at any time.
 * @returns false when the agent must be asked again, to place the call or to cancel it
 */
export const watchCall = async (callId: string): Promise<boolean> => {
  const call = await getCall(callId)
  if (!call || call.settled_time !== null) return true
  if (callStatus(call) === 'QUEUED') return askAgentAgain(call, await getLead(call.lead))
  if (hasFate(call)) await finishCall(call)
  else if (now() >= silentFrom(call)) await giveUpSilent(call)
  else return leaveAlone(call)
  return true
}
