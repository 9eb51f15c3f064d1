import type { Subscription } from '../../schema/webhook.ts'

/** The subscription object of the interface: without its headers, and without whether it is enabled, which its deliveries tell. */
export const representSubscription = ({
  id,
  url,
  trigger,
  method,
  filter_condition,
}: Pick<Subscription, 'id' | 'url' | 'trigger' | 'method' | 'filter_condition'>) => ({
  id,
  url,
  trigger,
  method,
  filter_condition,
})
