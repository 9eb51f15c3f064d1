import { destinationUrl } from '../../http/fields/url.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { UpdateSubscription } from '../api/update-subscription.ts'
import type { Subscription } from '../webhook.ts'

/** An update whose headers are encrypted. Undefined fields stay as they are. */
export type SubscriptionUpdate = Omit<UpdateSubscription, 'headers'> & Partial<Pick<Subscription, 'headers'>>

const originOf = (url: string): string | undefined => {
  try {
    return destinationUrl(url).origin
  } catch {
    return undefined
  }
}

export type SubscriptionChanges = Partial<Omit<Subscription, 'id' | 'owner'>>

/** A URL leads to another scheme, host or port. One that can no longer be read counts as elsewhere. */
const isElsewhere = (seen: Pick<Subscription, 'url'>, url: string): boolean => originOf(seen.url) !== originOf(url)

/**
 * Whether an update would send the stored headers to another scheme, host or port. Headers are never shown: whoever can change the URL
 * must not be able to read them that way.
 */
export const takesHeadersElsewhere = (seen: Pick<Subscription, 'url' | 'headers'>, update: SubscriptionUpdate): boolean =>
  seen.headers !== null && update.headers === undefined && update.url !== undefined && isElsewhere(seen, update.url)

/**
 * The fields that an update changes. Failures of a request that is no longer sent do not count against the new one. Another server may be a
 * quicker one: only that ends the slow lane.
 */
export const changesOf = (seen: Subscription, update: SubscriptionUpdate, at: Instant): SubscriptionChanges => {
  const { url = seen.url, trigger = seen.trigger, method = seen.method, filter_condition = seen.filter_condition } = update
  const { headers = seen.headers } = update
  const asked = Object.entries({ url, trigger, method, filter_condition, headers })
  const present = new Map<string, unknown>(Object.entries(seen))
  const isSame = (name: string, value: unknown): boolean => JSON.stringify(value) === JSON.stringify(present.get(name))
  const changed = asked.filter(([name, value]) => !isSame(name, value))
  const names = new Set(changed.map(([name]) => name))
  return {
    ...Object.fromEntries(changed),
    ...(['url', 'method', 'headers'].some((name) => names.has(name)) && { failing_since: null, daily_failures: null }),
    ...(isElsewhere(seen, url) && { slow_since: null }),
    ...(names.has('url') && { first_url: seen.first_url ?? seen.url, url_since: at }),
  }
}
