import { getAgent } from '../agents/agent-store.ts'
import { isElsewhere } from '../agents/rules/agent-address.ts'
import { canCancel, type Polled, pollCall, type Translation } from '../agents/voice-agent.ts'
import { getLead } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { HOUR, MINUTE } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { askAgentAgain } from './ask-agent.ts'
import type { Call } from './call.ts'
import { getCall, recordMilestones } from './call-store.ts'
import { cancelIfStopped, endCall } from './cancel.ts'
import { completeCall, NOTHING_REPORTED } from './finish/complete-call.ts'
import { finishCall, freeLineAndPhone } from './finish/finish-call.ts'
import { watchFrom } from './finish/watch-store.ts'
import { callStatus } from './rules/call-status.ts'
import { AFTER_END, heardAt, isOverdue, isReportedLate, nextLook, silentFrom } from './rules/silence.ts'
import { applyTranslation } from './take-report.ts'

/** Whether nothing is left to wait for. A platform that reports a call after we gave it up may still hold it. */
const isDecided = (call: Call): boolean =>
  call.completed_time !== null || call.refused_time !== null || (call.unknown_time !== null && !isReportedLate(call))

const giveUpSilent = async (call: Call): Promise<void> => {
  const lost = await recordMilestones(
    call,
    { unknown_time: now(), failure: 'The agent sent no further report about the call.' },
    { unless: ['completed_time'], unheardSince: call },
  )
  if (lost) await finishCall(lost)
}

/** A platform that reports a call as ongoing for longer than this is not believed. */
const LONGEST_ONGOING = 4 * HOUR
/** A platform that does not answer a poll is polled again for this long. */
const POLLED_FOR = 30 * MINUTE

const isTooLong = ({ accepted_time, intent_time }: Call): boolean => now() > (accepted_time ?? intent_time) + LONGEST_ONGOING

const pollText = ({ provider_call_id }: Call): string => `poll ${provider_call_id}`

/**
 * A call that waits and cannot be cancelled counts as any other ongoing call. If the agent has another account by now, it proves nothing that
 * this account does not know the call.
 * @returns `gone` when there is nobody to ask; undefined when the platform did not answer
 */
const pollPlatform = async (call: Call): Promise<Polled | undefined> => {
  const { provider_call_id, on_platform } = call
  const agent = on_platform && provider_call_id !== null ? await getAgent(call.agent) : undefined
  if (!agent || provider_call_id === null) return { kind: 'gone' }
  const polled = await pollCall(agent, provider_call_id)
  if (polled?.kind === 'gone' && isElsewhere(agent, call)) return undefined
  return polled?.kind === 'ongoing' && !canCancel(agent) ? { kind: 'ongoing' } : polled
}

/** How soon the platform is asked again about a call that should be over. Until then its phone stays taken. */
const ASKED_AGAIN = MINUTE

/**
 * Schedules the next look. Cancels a stopped call, and a call that still waits.
 * @returns false when the agent must be asked again to cancel the call
 */
const keepWatching = async (call: Call, polled: Polled | undefined, look: Instant): Promise<boolean> => {
  const isWaiting = polled?.kind === 'ongoing' && polled.isWaiting === true && isOverdue(call, now())
  await watchFrom(call, isWaiting ? now() + ASKED_AGAIN : look)
  if (!isWaiting) return cancelIfStopped(call)
  await endCall(call, 'The call waited too long at the platform.')
  return true
}

/** Ends a call that is silent for good: by its presumed outcome, or as unknown. */
const presume = (call: Call): Promise<unknown> =>
  call.presumed_outcome === null
    ? giveUpSilent(call)
    : completeCall(call, { ...NOTHING_REPORTED, at: call.ended_time ?? now(), outcome: call.presumed_outcome })

/**
 * Polls a silent call. Ends it if the platform does not answer.
 * @returns as `keepWatching`
 */
const finishSilent = async (silent: Call): Promise<boolean> => {
  const polled = await pollPlatform(silent)
  if (polled?.kind === 'ongoing' && !isTooLong(silent)) {
    const heard = await recordMilestones(silent, heardAt(now()))
    return !heard || keepWatching(heard, polled, nextLook(heard, now()))
  }
  if (polled === undefined && now() < silentFrom(silent) + POLLED_FOR) return keepWatching(silent, polled, now() + ASKED_AGAIN)
  const call = polled?.kind === 'translated' ? await applyTranslation(silent, polled.translation, pollText(silent)) : silent
  if (!call || call.completed_time !== null || call.refused_time !== null) return true
  // The platform may still analyse a conversation that has just ended.
  const mayFollow = polled?.kind === 'translated' && call.ended_time !== null && now() < call.ended_time + AFTER_END
  if (mayFollow) return keepWatching(call, polled, nextLook(call, now()))
  // Our waiting ends first, which frees the phone. The request may take long.
  await presume(call)
  if (polled?.kind === 'ongoing') await endCall(call, 'The call has gone on for too long.')
  return true
}

/** After the end, only the outcome is news. A repeated end must not restart the wait for it. */
const isNews = (call: Call, { reports }: Translation): boolean =>
  call.ended_time === null || reports.some(({ type }) => type === 'call.completed')

/** Applies the answer to a poll of a call that is not silent. @returns the call afterwards; undefined when it no longer exists */
const applyPolled = async (call: Call, polled: Polled | undefined): Promise<Call | undefined> => {
  if (polled?.kind === 'translated' && isNews(call, polled.translation)) return applyTranslation(call, polled.translation, pollText(call))
  return polled?.kind === 'ongoing' && !isTooLong(call) ? recordMilestones(call, heardAt(now())) : call
}

/** Whether a call that is not silent is polled: it cannot be reported, or it should be answered or over by now. */
const isAskedEarly = (call: Call): boolean =>
  call.only_polled === true ||
  isOverdue(call, now()) ||
  (call.cancel_asked_time !== null && call.ended_time === null && call.on_platform === true)

/**
 * A call in progress is checked again later, when nothing may have been heard of it for too long. A call that is over frees its phone and
 * line at once. A call against a stop is cancelled, and so is one that still waits at its platform.
 */
const checkOngoing = async (found: Call): Promise<boolean> => {
  const polled = isAskedEarly(found) ? await pollPlatform(found) : undefined
  const call = await applyPolled(found, polled)
  if (!call || isDecided(call)) return true
  if (call.ended_time !== null) await freeLineAndPhone(call)
  const isUnanswered = polled === undefined && isOverdue(call, now())
  return keepWatching(call, polled, isUnanswered ? now() + ASKED_AGAIN : nextLook(call, now()))
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
  const isSilent = now() >= silentFrom(call)
  const isOver = isDecided(call)
  if (isOver || (call.unknown_time !== null && !isSilent)) await finishCall(call)
  if (isOver) return true
  return isSilent ? finishSilent(call) : checkOngoing(call)
}
