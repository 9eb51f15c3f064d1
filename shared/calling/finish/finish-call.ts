import { dispatchSoon } from '../../backlog/dispatch.ts'
import { startWaiting } from '../../backlog/waiting.ts'
import type { Lead } from '../../leads/lead.ts'
import { now } from '../../platform/clock.ts'
import { loggable, logger } from '../../platform/logger.ts'
import { releasePhone } from '../../stops/phone-store.ts'
import type { Call } from '../call.ts'
import { settleCall, watchFrom } from '../call-store.ts'
import { releaseLine } from '../line-store.ts'
import { mayBeOnThePhone, silentFrom } from '../rules/silence.ts'
import { applyOutcome } from './apply-outcome.ts'

const freePhone = ({ phone_key, call_id, refused_time, intent_time }: Call): Promise<boolean> =>
  releasePhone(phone_key, call_id, refused_time === null ? null : intent_time)

/** Sends the lead's next call, if soon, and the owner's next waiting one. The sweep finds both when a message cannot be sent. */
const wakeNext = async (call: Call, lead: Lead | undefined): Promise<void> => {
  try {
    if (lead) await dispatchSoon(lead, now())
    await startWaiting(call.owner)
  } catch (error) {
    logger.warn('Left to the sweep: the next call could not be sent.', { call: call.call_id, error: loggable(error) })
  }
}

/** Frees line and phone of an ended call whose completion is not reported yet. Safe to repeat. */
export const freeLineAndPhone = async (call: Call): Promise<void> => {
  await releaseLine(call.owner, call.call_id)
  await freePhone(call)
  await wakeNext(call, undefined)
}

/**
 * Does all that follows from a call that is over. The order is: the lead's next state, its line, its phone, the end of the watch. A call
 * that nobody confirmed may still ring: its phone stays taken until the call counts as silent. Until then the lead waits for a late
 * outcome, and the watch goes on. Each step is a single write. After a crash at any point, a repeat from the start is safe.
 */
export const finishCall = async (call: Call): Promise<void> => {
  const lead = await applyOutcome(call)
  if (call.settled_time !== null) return
  await releaseLine(call.owner, call.call_id)
  const isOnThePhone = mayBeOnThePhone(call, now())
  if (!isOnThePhone) await freePhone(call)
  if (isOnThePhone || lead?.current_call === call.call_id) await watchFrom(call, silentFrom(call))
  else await settleCall(call, now())
  await wakeNext(call, lead)
}
