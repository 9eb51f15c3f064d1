import { loggable, logger } from '#shared/platform/logger.ts'
import type { AttemptAnswer } from '#shared/webhooks/rules/after-attempt.ts'
import { resolveUrl } from '#shared/webhooks/rules/url-template.ts'
import { openHeaders } from '#shared/webhooks/sealed-headers.ts'
import type { Delivery, Subscription } from '#shared/webhooks/webhook.ts'
import type { WebhookRequest } from '#shared/webhooks/webhook-sender.ts'

const UNOPENED = 'The headers of the subscription could not be decrypted: nothing was sent.'

type Destination = Pick<WebhookRequest, 'url' | 'headers'>

const unsent = (error: string, kind: Pick<AttemptAnswer, 'hopeless' | 'blameless'>): { readonly unsent: AttemptAnswer } => ({
  unsent: { status_code: null, duration_ms: 0, error, response_body: null, retryAfter: null, ...kind },
})

/** URL and headers of a delivery. `unsent`: the result when nothing can be sent. */
export const prepare = async (
  { payload }: Pick<Delivery, 'payload'>,
  subscription: Subscription,
): Promise<Destination | { readonly unsent: AttemptAnswer }> => {
  const resolved = resolveUrl(subscription.url, JSON.parse(payload))
  if ('error' in resolved) return unsent(resolved.error, { hopeless: true, blameless: false })
  try {
    return { url: resolved.url, headers: await openHeaders(subscription) }
  } catch (error) {
    // Without its headers, the destination would refuse the request or, worse, accept it.
    logger.error('The headers of a subscription could not be decrypted.', { subscription: subscription.id, error: loggable(error) })
    return unsent(UNOPENED, { hopeless: false, blameless: true })
  }
}
