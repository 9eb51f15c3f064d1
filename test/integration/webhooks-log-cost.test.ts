import { describe, expect, it } from '@jest/globals'
import { handler } from '#functions/webhooks/deliveries.ts'
import { deliveryId } from '#shared/platform/keys.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER } from '#test/support/world.ts'

suiteWorld()
let serial = 600

const subscribe = async () => {
  const id = ++serial
  await saveSubscription(aSubscription({ id, owner: OWNER, created_time: NOON - 40 * DAY }))
  return id
}

const aDelivery = (subscription: number, time: number, fields: Partial<Delivery> = {}): Delivery => {
  const event_id = `e${++serial}`
  return {
    delivery_id: deliveryId({ subscription, shard: serial % 4, time, eventId: event_id }),
    ...{ subscription, owner: OWNER, event_id, trigger: 'LEAD_CREATED', lead: 1001, payload: '{}', status: 'delivered' },
    ...{ attempts: [], earlier_attempts: 0, begun_time: null, next_attempt_time: null, turn: null, created_time: time },
    expires_at: Math.floor(time / 1000) + 31 * 86_400,
    ...fields,
  }
}

const list = async (id: number, query: Record<string, string>) => {
  const path = `/api/webhooks/${id}/deliveries/`
  const answer = await handler(
    {
      ...{ httpMethod: 'GET', path, resource: path, body: null, isBase64Encoded: false, pathParameters: { id: `${id}` } },
      headers: { Authorization: 'Token a-key' },
      queryStringParameters: query,
      requestContext: { requestId: 'r', resourcePath: path },
    },
    { awsRequestId: 'test' } as never,
  )
  return JSON.parse(answer.body) as { count: number; results: { delivery_id: string }[] }
}

/** Every delivery on the log, by pages of a hundred. */
const walk = async (id: number) => {
  const { count } = await list(id, { page_size: '1' })
  const pages = Array.from({ length: Math.ceil(count / 100) }, (_, page) => list(id, { page: `${page + 1}`, page_size: '100' }))
  return { count, ids: (await Promise.all(pages)).flatMap(({ results }) => results.map(({ delivery_id }) => delivery_id)) }
}

/** Read units of a page. */
const readUnits = async (id: number, query: Record<string, string>) => (await unitsOf(() => list(id, query))).read

describe('the delivery log', () => {
  it('the delivery log counts the deliveries of a past day once, and again when a late delivery arrives', async () => {
    const id = await subscribe()
    const days = Array.from({ length: 31 }, (_, index) => NOON - index * DAY)
    for (const day of days) await Promise.all(Array.from({ length: 12 }, (_, index) => insertDelivery(aDelivery(id, day + index))))
    expect(await readUnits(id, { page_size: '5' })).toBeGreaterThan(31 * 4 * 0.5)
    for (const page of ['1', '3', 'last']) expect(await readUnits(id, { page, page_size: '5' })).toBeLessThan(20)
    expect((await walk(id)).count).toBe(31 * 12)
    const late = aDelivery(id, NOON - 9 * DAY, { created_time: NOON })
    await Promise.all([insertDelivery(late), insertDelivery(aDelivery(id, NOON - DAY, { created_time: NOON }))])
    const { count, ids } = await walk(id)
    expect([count, new Set(ids).size]).toEqual([31 * 12 + 2, 31 * 12 + 2])
    expect(ids).toContain(late.delivery_id)
  })

  it('the delivery log reads a busy day only as far as the requested page', async () => {
    const id = await subscribe()
    await Promise.all(Array.from({ length: 600 }, (_, index) => insertDelivery(aDelivery(id, NOON - (index % 97)))))
    await list(id, {})
    const [first, last] = [await readUnits(id, { page_size: '1' }), await readUnits(id, { page: 'last', page_size: '1' })]
    expect(last).toBeGreaterThan(first + 4)
    expect(new Set((await walk(id)).ids).size).toBe(600)
  })
})
