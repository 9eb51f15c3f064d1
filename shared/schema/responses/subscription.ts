import * as v from 'valibot'
import { Id, TRIGGERS, WEBHOOK_METHODS } from '../values.ts'
import { Count, DateTime } from './values.ts'

/** A webhook subscription as clients see it: its headers are never shown. */
export const SubscriptionResponse = v.strictObject({
  id: Id,
  url: v.string(),
  trigger: v.array(v.picklist(TRIGGERS)),
  method: v.picklist(WEBHOOK_METHODS),
  filter_condition: v.string(),
})

/** How many subscriptions were deleted. */
export const DeletedResponse = v.strictObject({ deleted: Count })

/** A signing secret, told this once. */
export const RotatedSecretResponse = v.strictObject({
  webhook_secret: v.string(),
  /** Null when there was none before. */
  previous_secret_valid_until: v.nullable(DateTime),
})
