import { randomUUID } from 'node:crypto'
import { api } from '#shared/http/api.ts'
import { NoFields } from '#shared/http/fields/only-fields.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { now } from '#shared/platform/clock.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { checkEnabled, newDelivery, sendFreshDelivery } from '#shared/webhooks/deliveries.ts'
import { insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { testPayload } from '#shared/webhooks/rules/test-payload.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'

/** Ignores the filter: this tests the destination. */
export const handler = api(
  { auth: 'token', params: IdParams, find: getSubscription, body: NoFields, forms: true },
  async ({ found: subscription }) => {
    checkEnabled(subscription)
    const at = now()
    const [trigger = 'LEAD_CREATED'] = subscription.trigger
    const event = { event_id: `test-${randomUUID()}-${trigger}`, trigger, owner: subscription.owner, event_time: at }
    const payload = JSON.stringify(testPayload(event))
    const delivery = newDelivery({ ...event, lead_id: null }, subscription, payload, at)
    await insertDelivery(delivery)
    await sendFreshDelivery(delivery, at)
    return { status: 202, body: representDelivery(delivery, subscription) }
  },
)
