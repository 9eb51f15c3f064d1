import * as v from 'valibot'
import { cadenceTypeOf } from '../../accounts/lead-type.ts'
import { getUser } from '../../accounts/user-store.ts'
import { dispatchSoon } from '../../backlog/dispatch.ts'
import { fillAfterCall } from '../../backlog/fill-lines.ts'
import { markHeld } from '../../backlog/marks.ts'
import { watchPromise } from '../../backlog/promises.ts'
import type { Lead } from '../../leads/lead.ts'
import { changeLead, getLead } from '../../leads/lead-store.ts'
import { now } from '../../platform/clock.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { retryRaces } from '../../platform/table/retry-races.ts'
import { committedUnlessRefused, transact } from '../../platform/table/transactions.ts'
import { SECOND } from '../../platform/values/durations.ts'
import type { Lines } from '../../stops/compliance.ts'
import { getPhone, phoneRelease, releasePhone, retakePhone } from '../../stops/phone-store.ts'
import type { Call } from '../call.ts'
import { callingPolicy } from '../calling-policy.ts'
import { holdsLine, releaseLine } from '../line-store.ts'
import { callsHolding } from '../rules/calls-holding.ts'
import { isUnended } from '../rules/dial/cancellable.ts'
import { afterCall } from '../rules/finish/after-call.ts'
import { isOverdue, isReportedLate, mayBeOnThePhone, nextLook, silentFrom } from '../rules/silence.ts'
import { checkUnended, resumeWatch, settleUnheard, stopWatching, watchFrom } from './watch-store.ts'

/** An inbound call follows the lead's own lead type, and needs the lead for it. */
const leadTypeAfter = async (call: Call) => cadenceTypeOf(call, call.call_direction === 'inbound' ? await getLead(call.lead) : undefined)

/** Applies a call's outcome to its lead. Safe to repeat. @returns the lead as it is now; undefined when it is gone */
export const applyOutcome = async (call: Call): Promise<Lead | undefined> => {
  const [leadType, policy, { attempts }] = await Promise.all([
    leadTypeAfter(call),
    getUser(call.owner).then(callingPolicy),
    getPhone(call.phone_key),
  ])
  // Mark the agent before the lead is held, so that no sweep misses the lead. A trusted agent may hold leads, too.
  if (call.unsent_time !== null) await markHeld(call.agent, now())
  const lead = await changeLead(call.lead, (found) => afterCall({ lead: found, call, leadType, now: now(), policy, attempts }))
  if (lead) await watchPromise(lead)
  return lead
}

const freePhone = ({ phone_key, call_id, refused_time, intent_time }: Call): Promise<boolean> =>
  releasePhone(phone_key, call_id, refused_time === null ? null : intent_time)

/**
 * Sends the lead's next call, if soon, and the lead that waits for the free line. The sweep finds both when a message cannot be sent.
 * @param lines undefined when no line became free
 */
const wakeNext = async (call: Call, lead: Lead | undefined, lines: Lines | undefined): Promise<void> => {
  try {
    if (lead) await dispatchSoon(lead, now())
    if (lines) await fillAfterCall(call.owner, lines)
  } catch (error) {
    logger.warn('The message for the next call could not be queued. The sweep will send it.', {
      call: call.call_id,
      error: loggable(error),
    })
  }
}

/** Frees line and phone of an ended call whose completion is not reported yet. Safe to repeat. */
export const freeLineAndPhone = async (call: Call): Promise<void> => {
  const lines = await releaseLine(call)
  try {
    await freePhone(call)
  } finally {
    // A repeat finds the line free already, and wakes nobody.
    await wakeNext(call, undefined, lines)
  }
}

const MAX_TRIES = 10

/**
 * Frees the phone of a silent, given-up call and ends its watch, in one transaction. If a report has arrived meanwhile, does nothing: the call
 * may go on, and the watch does.
 */
const settleGivenUp = (call: Call): Promise<boolean> =>
  retryRaces({ tries: MAX_TRIES, lost: `The phone of call ${call.call_id} changed while it was being freed,` }, async () => {
    const release = phoneRelease(call.phone_key, await getPhone(call.phone_key), call.call_id)
    const result = await transact([settleUnheard(call, now()), ...release])
    return result.committed || (result.refused.includes(0) ? false : undefined)
  })

/**
 * Does all that follows from a call that is over. The order is: the lead's next state, its line, its phone, the end of the watch. A call
 * that nobody confirmed may still ring: its phone stays taken until the call counts as silent. Until then the lead waits for a late
 * outcome, and the watch goes on. It also goes on for a call that was reported after it was given up: the lead may be in its next call by
 * then, but a late outcome may contain a stop. After a crash at any point, a repeat from the start is safe.
 */
export const finishCall = async (call: Call): Promise<void> => {
  const lead = await applyOutcome(call).catch(async (error: unknown) => {
    // As long as something that the outcome needs cannot be read, each repeat fails. The call must not keep line and phone for so long.
    if (v.isValiError(error) && call.settled_time === null && !mayBeOnThePhone(call, now())) await freeLineAndPhone(call)
    throw error
  })
  if (call.settled_time !== null) return
  // Most ended calls hold no line. A read finds that out, and costs less than a write.
  const lines = call.ended_time === null || (await holdsLine(call)) ? await releaseLine(call) : undefined
  try {
    const isOnThePhone = mayBeOnThePhone(call, now())
    const isAwaited = isReportedLate(call) && now() < silentFrom(call)
    const isWatched = isOnThePhone || isAwaited || lead?.current_call === call.call_id
    const isGivenUp = call.unknown_time !== null && isUnended(call)
    if (isGivenUp && !isWatched) await settleGivenUp(call)
    else {
      if (!isOnThePhone && !isGivenUp) await freePhone(call)
      await (isWatched ? watchFrom(call, silentFrom(call)) : stopWatching(call, now()))
    }
  } finally {
    await wakeNext(call, lead, lines)
  }
}

/** Watches a settled call again that has ended, and whose outcome may follow: the outcome may contain a stop. */
export const watchAgain = async (call: Call): Promise<void> => {
  if (call.settled_time === null) return
  await retryRaces({ tries: MAX_TRIES, lost: `Call ${call.call_id} changed while it was being watched again,` }, async () =>
    committedUnlessRefused(await transact([resumeWatch(call, silentFrom(call), ['completed_time'])])),
  )
}

/** A call that is reported only after it was given up, and that nobody has answered, is polled this soon. */
const POLLED_IN = 30 * SECOND

/** Takes the phone of an unsettled call again, if it was freed because its lead could not be read. */
const retakeFreePhone = async (call: Call): Promise<void> => {
  if (callsHolding(await getPhone(call.phone_key)).length > 0) return
  await retryRaces({ tries: MAX_TRIES, lost: `The phone of call ${call.call_id} changed while it was being taken again,` }, async () =>
    committedUnlessRefused(await transact([checkUnended(call), retakePhone(call.phone_key, call.call_id)])),
  )
}

/**
 * Watches a call again that its platform reports only after it was given up. The call takes its phone again, unless another call holds it.
 * @returns the call as it is now
 */
export const reopenCall = async (call: Call): Promise<Call> => {
  const look = isOverdue(call, now()) ? now() + POLLED_IN : nextLook(call, now())
  if (call.settled_time === null) {
    await watchFrom(call, look)
    await retakeFreePhone(call)
    return call
  }
  const watched = resumeWatch(call, look, ['ended_time', 'completed_time'])
  const isWatched = await retryRaces({ tries: MAX_TRIES, lost: `Call ${call.call_id} changed while it was reopened,` }, async () => {
    // One transaction: an end that is reported meanwhile must find the phone taken, or prevent that it is taken.
    const both = await transact([watched, retakePhone(call.phone_key, call.call_id)])
    const result = both.committed || !both.refused.includes(1) ? both : await transact([watched])
    return committedUnlessRefused(result)
  })
  return isWatched ? { ...call, settled_time: null } : call
}
