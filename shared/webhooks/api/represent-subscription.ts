import { formatOptional } from '../../platform/values/time.ts'
import type { Subscription } from '../webhook.ts'

type Shown = Pick<Subscription, 'id' | 'url' | 'trigger' | 'method' | 'filter_condition'>

/** The subscription object of the API, without its headers. */
export const representNewSubscription = ({ id, url, trigger, method, filter_condition }: Shown) => ({
  id,
  url,
  trigger,
  method,
  filter_condition,
})

/** As `representNewSubscription`, with when and why it was disabled. */
export const representSubscription = (subscription: Shown & Pick<Subscription, 'enabled' | 'disabled_time' | 'disabled_reason'>) => {
  const { enabled, disabled_time, disabled_reason } = subscription
  return {
    ...representNewSubscription(subscription),
    disabled_time: enabled ? null : formatOptional(disabled_time),
    disabled_reason: enabled ? null : disabled_reason,
  }
}
