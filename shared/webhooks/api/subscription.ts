import * as v from 'valibot'
import { Count, DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { formatOptional } from '../../platform/values/time.ts'
import { Id, TRIGGERS, WEBHOOK_METHODS } from '../../platform/values/values.ts'
import type { Subscription } from '../webhook.ts'

/** A webhook subscription as clients see it. Its headers are never shown. */
export const SubscriptionResponse = v.strictObject({
  id: Id,
  url: v.string(),
  trigger: v.array(v.picklist(TRIGGERS)),
  method: v.picklist(WEBHOOK_METHODS),
  filter_condition: v.string(),
  disabled_time: v.pipe(OptionalDateTime, v.description('Null while it is enabled.')),
  disabled_reason: v.pipe(v.nullable(v.string()), v.description('Why it was disabled. Null while it is enabled.')),
})

/** A new webhook subscription. */
export const NewSubscriptionResponse = v.omit(SubscriptionResponse, ['disabled_time', 'disabled_reason'])

/** How many subscriptions were deleted. */
export const DeletedResponse = v.strictObject({ deleted: Count })

/** A signing secret, shown only once. */
export const RotatedSecretResponse = v.strictObject({
  webhook_secret: v.string(),
  /** Null when there was none before. */
  previous_secret_valid_until: v.nullable(DateTime),
})

type Shown = Pick<Subscription, 'id' | 'url' | 'trigger' | 'method' | 'filter_condition'>

/** The subscription object of the API, without its headers. */
export const representNewSubscription = ({
  id,
  url,
  trigger,
  method,
  filter_condition,
}: Shown): v.InferOutput<typeof NewSubscriptionResponse> => ({
  id,
  url,
  trigger,
  method,
  filter_condition,
})

/** As `representNewSubscription`, with when and why it was disabled. */
export const representSubscription = (
  subscription: Shown & Pick<Subscription, 'enabled' | 'disabled_time' | 'disabled_reason'>,
): v.InferOutput<typeof SubscriptionResponse> => {
  const { enabled, disabled_time, disabled_reason } = subscription
  return {
    ...representNewSubscription(subscription),
    disabled_time: enabled ? null : formatOptional(disabled_time),
    disabled_reason: enabled ? null : disabled_reason,
  }
}
