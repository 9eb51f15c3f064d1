import { loggable, logger } from '#shared/adapters/logger.ts'
import { openHeaders } from '#shared/adapters/sealed-headers.ts'
import type { Subscription } from '#shared/schema/webhook.ts'

export const UNOPENED = 'The headers of the subscription could not be decrypted: nothing was sent.'

/** Undefined when they cannot be opened now: a request without them would be refused, or worse, taken. */
export const openedHeaders = async (subscription: Subscription): Promise<Readonly<Record<string, string>> | undefined> => {
  try {
    return await openHeaders(subscription)
  } catch (error) {
    logger.error('The headers of a subscription could not be decrypted.', { subscription: subscription.id, error: loggable(error) })
    return undefined
  }
}
