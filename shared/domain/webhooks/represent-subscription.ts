import type { Subscription } from '../../schema/webhook.ts'

/** The subscription object of the interface. */
export const representSubscription = ({ id, url, trigger, method, filter_condition }: Subscription) => ({
  id,
  url,
  trigger,
  method,
  filter_condition,
})
