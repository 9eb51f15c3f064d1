import { randomUUID } from 'node:crypto'
import { now } from '#shared/adapters/clock.ts'
import { representDelivery } from '#shared/domain/webhooks/represent-delivery.ts'
import { testPayload } from '#shared/domain/webhooks/test-payload.ts'
import { api } from '#shared/http/api.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { checkEnabled, newDelivery, sendFreshDelivery } from '#shared/operations/deliveries.ts'
import { NoFields } from '#shared/schema/fields/only-fields.ts'
import { insertPresentDelivery } from '#shared/storage/deliveries.ts'
import { getSubscription } from '#shared/storage/subscriptions.ts'

/** Whatever the filter says: it is the destination that is tested. */
export const handler = api(
  { auth: 'token', params: IdParams, find: getSubscription, body: NoFields, forms: true },
  async ({ found: subscription }) => {
    checkEnabled(subscription)
    const at = now()
    const [trigger = 'LEAD_CREATED'] = subscription.trigger
    const event = { event_id: `test-${randomUUID()}-${trigger}`, trigger, owner: subscription.owner, event_time: at }
    const payload = JSON.stringify(testPayload(event))
    const delivery = newDelivery({ ...event, lead_id: null }, subscription, payload, at)
    await insertPresentDelivery(delivery)
    await sendFreshDelivery(delivery, at)
    return { status: 202, body: representDelivery(delivery, subscription) }
  },
)
