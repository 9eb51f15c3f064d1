import * as v from 'valibot'
import { Id, TRIGGERS, WEBHOOK_METHODS } from '../values.ts'

/** A webhook subscription as clients see it: its headers are never shown. */
export const SubscriptionResponse = v.strictObject({
  id: Id,
  url: v.string(),
  trigger: v.array(v.picklist(TRIGGERS)),
  method: v.picklist(WEBHOOK_METHODS),
  filter_condition: v.string(),
})
