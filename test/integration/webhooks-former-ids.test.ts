import { expect, it } from '@jest/globals'
import { handler } from '#functions/workers/match-webhooks.ts'
import { deliveryIdsOf, newDelivery } from '#shared/webhooks/deliveries.ts'
import { getDelivery, insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { deliveriesOfLead } from '#shared/webhooks/lead-deliveries.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { suiteQueues, suiteTable } from '#test/support/suite-world.ts'
import { aLead, anEvent, aSubscription, batchOf, NOW } from '#test/support/webhook-fixtures.ts'

suiteTable()
const queues = suiteQueues(['DELIVERY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL'])

it('a repeated event sends the delivery that version 1.0.2 wrote under its own id, and writes no second one', async () => {
  const [owner, id] = [13, 62]
  await saveSubscription(aSubscription({ id, owner }))
  const lead = aLead({ owner, id: 17 })
  const event = anEvent({ event_id: 'e1.LEAD_CREATED', owner, lead, lead_id: 17 })
  const [current = '', former = ''] = deliveryIdsOf(event, { id })
  expect([current, former]).toEqual([`62-L17-${event.event_time}-e1.LEAD_CREATED`, `62-1-${event.event_time}-e1.LEAD_CREATED`])
  await insertDelivery({ ...newDelivery(event, { id }, '{}', NOW), delivery_id: former })
  const batch = batchOf([{ detail: event }])
  for (const { attributes } of batch.Records) attributes.ApproximateReceiveCount = '2'
  expect(await handler(batch)).toEqual({ batchItemFailures: [] })
  expect((await queues().take('DELIVERY_QUEUE_URL')).map((body) => JSON.parse(body).delivery_id)).toEqual([former])
  expect(await getDelivery(current)).toBeUndefined()
  expect((await deliveriesOfLead(lead, [{ id }], NOW)).map(({ delivery_id }) => delivery_id)).toEqual([former])
})
