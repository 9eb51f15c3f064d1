import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { NoFields } from '#shared/http/fields/only-fields.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { now } from '#shared/platform/clock.ts'
import { ServiceError } from '#shared/platform/values/errors.ts'
import { representDelivery } from '#shared/webhooks/api/delivery.ts'
import { checkEnabled, sendOrLeaveDeliveries } from '#shared/webhooks/deliveries.ts'
import { getDelivery, reviveDelivery } from '#shared/webhooks/delivery-store.ts'
import { MOST_ATTEMPTS } from '#shared/webhooks/rules/after-attempt.ts'
import { getSubscription } from '#shared/webhooks/subscription-store.ts'

const Named = v.object({ delivery_id: v.string() })
const Params = v.object({ ...IdParams.entries, ...Named.entries })

const find = async (owner: number, id: number, params: unknown) => {
  const [subscription, delivery] = await Promise.all([getSubscription(owner, id), getDelivery(v.parse(Named, params).delivery_id)])
  if (!subscription || delivery?.subscription !== id || delivery.owner !== owner) return undefined
  return { subscription, delivery }
}

/** Sends the same event again, under the same id. */
export const handler = api(
  { auth: 'token', params: Params, find, body: NoFields, forms: true },
  async ({ found: { subscription, delivery } }) => {
    checkEnabled(subscription)
    if (delivery.attempts.length >= MOST_ATTEMPTS) {
      throw new ServiceError('conflict', `A delivery is not sent again after ${MOST_ATTEMPTS} attempts.`)
    }
    const revived = await reviveDelivery(delivery, now())
    if (!revived) throw new ServiceError('conflict', 'Another attempt was just made. Read the delivery again before you resend it.')
    await sendOrLeaveDeliveries([revived])
    return { status: 202, body: representDelivery(revived, subscription) }
  },
)
