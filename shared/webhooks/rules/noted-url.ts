import { MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { DeliveryAttempt, Subscription } from '../webhook.ts'

type Noted = Pick<DeliveryAttempt, 'url'>

/** The URL as an attempt stores it: not at all while the subscription has its first one, so that most attempts cost no more. */
export const notedUrl = ({ url, first_url }: Pick<Subscription, 'url' | 'first_url'>): Noted => (first_url === null ? {} : { url })

/** As `notedUrl`, for an attempt of a run that is gone. If the URL changed at about that time or later, nobody knows which one it used. */
export const notedLostUrl = (subscription: Pick<Subscription, 'url' | 'first_url' | 'url_since'>, began: Instant): Noted => {
  const { url_since } = subscription
  return url_since !== null && began < url_since + MINUTE ? { url: null } : notedUrl(subscription)
}

/** URLs of a subscription; null when they are not known. */
export interface KnownUrls extends Pick<Subscription, 'first_url'> {
  readonly url: string | null
}

/** The URL of an attempt, with its placeholders. Null when it is not known. */
export const urlOfAttempt = ({ url }: Noted, subscription: KnownUrls): string | null =>
  url === undefined ? (subscription.first_url ?? subscription.url) : url
