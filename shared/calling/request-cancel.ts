import { cancelMessage, sendCallMessages } from '../backlog/dispatch.ts'
import { loggable, logger } from '../platform/logger.ts'
import { callsHolding } from './rules/calls-holding.ts'

/**
 * Sends the message that cancels a call whose phone may be ringing. The stop must be written before. Never throws: the worker that places
 * the call checks the stops as well.
 */
export const requestCancel = async (call: { readonly owner: number; readonly callId: string }): Promise<void> => {
  try {
    await sendCallMessages([cancelMessage(call)])
  } catch (error) {
    logger.warn('A cancel could not be sent.', { call: call.callId, error: loggable(error) })
  }
}

/** Requests a cancel of every call that holds a phone. */
export const requestCancels = async (owner: number, phone: Parameters<typeof callsHolding>[0]): Promise<void> => {
  for (const callId of callsHolding(phone)) await requestCancel({ owner, callId })
}
