import { cancelMessage, sendCallMessages } from '../backlog/dispatch.ts'
import { loggable, logger } from '../platform/logger.ts'

/**
 * Has the agent asked to cancel a call whose phone may be ringing, because of a stop that is written already. Never throws: who
 * has the call placed looks at the stops as well.
 */
export const requestCancel = async (call: { readonly owner: number; readonly callId: string }): Promise<void> => {
  try {
    await sendCallMessages([cancelMessage(call)])
  } catch (error) {
    logger.warn('A cancel could not be sent.', { call: call.callId, error: loggable(error) })
  }
}
