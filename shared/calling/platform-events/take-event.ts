import type { Translation } from '../../agents/voice-agent.ts'
import { requestCancel } from '../../backlog/dispatch.ts'
import type { ErasedCall } from '../../erasure/erased-call-store.ts'
import { logger } from '../../platform/logger.ts'
import type { Call } from '../call.ts'
import { cancelIfStopped } from '../cancel.ts'
import { applyLateTranslation, applyTranslation } from '../take-report.ts'

/**
 * Takes a platform's event about a call of this agent's: applies it, and ends a call that is stopped. Safe to repeat.
 * @param text what the platform sent; it recognises a repeat
 * @returns whether the event was taken; false when it concerns another call of the platform
 */
export const takeEvent = async (call: Call | ErasedCall, translation: Translation, text: string): Promise<boolean> => {
  if ('erased_time' in call) {
    await applyLateTranslation(call, translation)
    return true
  }
  const { platformCallId } = translation
  if (platformCallId !== null && call.provider_call_id !== null && call.provider_call_id !== platformCallId) {
    logger.error('A platform reports a second call for one attempt.', {
      call: call.call_id,
      first: call.provider_call_id,
      second: platformCallId,
    })
    return false
  }
  const updated = await applyTranslation(call, translation, text)
  // A platform is not told about stops in our answer, as an agent of our own protocol is.
  if (updated && !(await cancelIfStopped(updated))) await requestCancel({ owner: call.owner, callId: call.call_id })
  return true
}
