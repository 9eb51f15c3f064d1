import { beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { handler as listDeliveries } from '#functions/webhooks/deliveries.ts'
import { handler as resendDelivery } from '#functions/webhooks/resend.ts'
import { handler as sendTest } from '#functions/webhooks/test.ts'
import { handler as deliver } from '#functions/workers/deliver-webhook.ts'
import { deliveryId } from '#shared/platform/keys.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import { getDelivery, insertDelivery, recordAttempt } from '#shared/webhooks/delivery-store.ts'
import { disableSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { dueDeliveries } from '#test/support/due-deliveries.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteReceiver, suiteWorld } from '#test/support/suite-world.ts'
import { aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const world = suiteWorld()
const receiver = suiteReceiver()
let serial = 600

beforeEach(async () => {
  receiver().requests.length = 0
  await world().queues.renew('DELIVERY_QUEUE_URL')
})

const subscribe = async (fields: Parameters<typeof aSubscription>[0] = {}) => {
  const id = ++serial
  await saveSubscription(aSubscription({ id, owner: OWNER, url: receiver().url, created_time: NOON - 40 * DAY, ...fields }))
  return id
}

const aDelivery = (subscription: number, time: number, fields: Partial<Delivery> = {}): Delivery => {
  const event_id = `e${++serial}`
  return {
    delivery_id: deliveryId({ subscription, shard: serial % 4, time, eventId: event_id }),
    ...{ subscription, owner: OWNER, event_id, trigger: 'LEAD_CREATED', lead: 1001, payload: '{}', status: 'pending' },
    ...{ attempts: [], earlier_attempts: 0, begun_time: null, next_attempt_time: time, created_time: time },
    expires_at: Math.floor(time / 1000) + 31 * 86_400,
    ...fields,
  }
}

const list = async (id: number, query: Record<string, string> = {}, key?: string) => {
  const path = `/api/webhooks/${id}/deliveries/`
  const answer = await listDeliveries(
    {
      ...{ httpMethod: 'GET', path, resource: path, body: null, isBase64Encoded: false, pathParameters: { id: `${id}` } },
      headers: { Authorization: `Token ${key ?? 'a-key'}` },
      queryStringParameters: query,
      multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
      requestContext: { requestId: 'r', resourcePath: path },
    },
    { awsRequestId: 'test' } as never,
  )
  return { status: answer.statusCode, body: JSON.parse(answer.body) }
}

const resend = (id: number, delivery: string, headers = {}) =>
  request(resendDelivery, {
    method: 'POST',
    path: `/api/webhooks/${id}/deliveries/${delivery}/resend/`,
    parameters: { id: `${id}`, delivery_id: delivery },
    headers,
  })
const test = (id: number, headers = {}) =>
  request(sendTest, { method: 'POST', path: `/api/webhooks/${id}/test/`, parameters: { id: `${id}` }, headers })

const made = (status_code: number) => ({ time: NOON, status_code, duration_ms: 12, error: 'No.', response_body: 'no' })
const sent = async () => (await world().queues.take('DELIVERY_QUEUE_URL')).map((body) => JSON.parse(body))
const deliverAll = async () => deliver(batchOf(await sent()))

describe('the delivery log', () => {
  it('the delivery log is empty for a new subscription', async () => {
    const id = await subscribe()
    expect(await list(id)).toEqual({ status: 200, body: { count: 0, next: null, previous: null, results: [] } })
    expect((await list(id, { page: '2' })).status).toBe(404)
  })

  it('the delivery log shows a delivery with its attempts', async () => {
    const id = await subscribe()
    const delivery = aDelivery(id, NOON - 1_000)
    await insertDelivery(delivery)
    await recordAttempt(delivery, [made(500)], { status: 'pending', next_attempt_time: NOON + 5_000 })
    expect((await list(id)).body.results).toEqual([
      {
        delivery_id: delivery.delivery_id,
        event_id: delivery.event_id,
        trigger: 'LEAD_CREATED',
        lead: 1001,
        status: 'pending',
        attempts: [{ ...made(500), time: '2026-11-20T16:00:00.000000+00:00', url: receiver().url }],
        next_attempt_time: '2026-11-20T16:00:05.000000+00:00',
      },
    ])
  })

  it('the delivery log lists each delivery of the last 30 days once, newest first, page by page', async () => {
    const id = await subscribe()
    const times = [
      ...Array.from({ length: 61 }, (_, index) => NOON - index * 12 * HOUR),
      ...Array.from({ length: 40 }, (_, index) => NOON - 3 * DAY - (index % 7)),
    ]
    const deliveries = times.map((time) => aDelivery(id, time))
    await Promise.all(deliveries.map(insertDelivery))
    await Promise.all([31, 32, 35].map((days) => insertDelivery(aDelivery(id, NOON - days * DAY))))
    const seen: string[] = []
    for (let page = 1; page <= 15; page++) {
      const { body } = await list(id, { page: `${page}`, page_size: '7' })
      expect(body.count).toBe(101)
      expect(body.next === null).toBe(page === 15)
      seen.push(...body.results.map((result: { delivery_id: string }) => result.delivery_id))
    }
    expect(seen.toSorted()).toEqual(deliveries.map(({ delivery_id }) => delivery_id).toSorted())
    const time = new Map(deliveries.map(({ delivery_id }, index) => [delivery_id, times[index]!]))
    expect(seen.map((delivery) => time.get(delivery))).toEqual(times.toSorted((a, b) => b - a))
    expect((await list(id, { page: 'last', page_size: '7' })).body.results).toHaveLength(3)
    expect((await list(id, { page: '16', page_size: '7' })).status).toBe(404)
  })

  it('the delivery log shows the waiting deliveries of a disabled subscription as disabled', async () => {
    const id = await subscribe()
    await insertDelivery(aDelivery(id, NOON))
    await disableSubscription(OWNER, id, { reason: 'Gone.', at: 1 })
    expect((await list(id)).body.results).toMatchObject([{ status: 'disabled', next_attempt_time: null }])
  })

  it('the delivery log answers 404 for a subscription that the caller does not have', async () => {
    const id = await subscribe()
    expect((await list(id, {}, OTHER_KEY)).status).toBe(404)
    expect((await list(2_000_000_000)).status).toBe(404)
  })
})

describe('resending a delivery', () => {
  it('resending a delivery makes a new attempt with the same event id and a fresh schedule', async () => {
    const id = await subscribe()
    const delivery = aDelivery(id, NOON - DAY)
    await insertDelivery(delivery)
    await recordAttempt(
      delivery,
      Array.from({ length: 10 }, () => made(500)),
      { status: 'failed' },
    )
    const { status, body } = await resend(id, delivery.delivery_id)
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { status: 'pending', attempts: expect.any(Array), event_id: delivery.event_id },
    })
    await deliverAll()
    expect(receiver().requests.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.event_id])
    expect(await getDelivery(delivery.delivery_id)).toMatchObject({ status: 'delivered', earlier_attempts: 10 })
    expect((await getDelivery(delivery.delivery_id))!.attempts).toHaveLength(11)
  })

  it('resending a delivery leads to retries when the new attempt fails', async () => {
    const failing = await startReceiver({ respond: () => ({ status: 503 }) })
    const id = await subscribe({ url: failing.url })
    const delivery = aDelivery(id, NOON)
    await insertDelivery(delivery)
    await recordAttempt(
      delivery,
      Array.from({ length: 10 }, () => made(500)),
      { status: 'failed' },
    )
    await resend(id, delivery.delivery_id)
    await deliverAll()
    await failing.close()
    const { status, next_attempt_time } = (await getDelivery(delivery.delivery_id))!
    expect(status).toBe('pending')
    expect(Math.abs(next_attempt_time! - NOON - 5_000)).toBeLessThan(60_000)
  })

  it('resending a delivery lists it for the sweep in case its message is lost', async () => {
    const id = await subscribe()
    const delivery = aDelivery(id, NOON)
    await insertDelivery(delivery)
    await recordAttempt(delivery, [made(200)], { status: 'delivered' })
    expect((await whileQueueIsMissing('DELIVERY_QUEUE_URL', () => resend(id, delivery.delivery_id))).status).toBe(202)
    const due = (await dueDeliveries(NOON + 10 * 60_000)).filter(({ message }) => message.delivery_id === delivery.delivery_id)
    expect(due.map(({ message }) => message)).toEqual([{ owner: OWNER, subscription: id, delivery_id: delivery.delivery_id }])
  })

  it('resending is refused for unknown, foreign, disabled or too often attempted deliveries', async () => {
    const [id, neighbour] = [await subscribe(), await subscribe()]
    const delivery = aDelivery(id, NOON, { attempts: Array.from({ length: 40 }, () => made(500)), status: 'failed' })
    await insertDelivery(delivery)
    expect(await resend(id, 'x')).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    for (const event of ['none', 'e'.repeat(1100)]) expect((await resend(id, `${id}-0-${NOON}-${event}`)).status).toBe(404)
    expect((await resend(neighbour, delivery.delivery_id)).status).toBe(404)
    expect((await resend(id, delivery.delivery_id, { Authorization: `Token ${OTHER_KEY}` })).status).toBe(404)
    expect(await resend(id, delivery.delivery_id)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('40') } })
    await disableSubscription(OWNER, id, { reason: 'Gone.', at: 1 })
    expect(await resend(id, delivery.delivery_id)).toMatchObject({
      status: 409,
      body: { detail: 'The subscription is disabled. Gone.' },
    })
  })
})

describe('a test event', () => {
  it.each(['LEAD_CREATED', 'CALL_COMPLETE', 'BEFORE_CALLING', 'CALL_DNC', 'SMS_COMPLETE'] as const)(
    'a test event for %s is delivered like any other',
    async (trigger) => {
      const id = await subscribe({ trigger: [trigger, 'LEAD_LOST'], filter_condition: '' })
      const { status, body } = await test(id)
      expect({ status, body }).toEqual({
        status: 202,
        body: {
          delivery_id: expect.any(String),
          event_id: expect.stringMatching(new RegExp(`^test-.*${trigger}$`)),
          ...{ trigger, lead: null, status: 'pending', attempts: [], next_attempt_time: expect.any(String) },
        },
      })
      await deliverAll()
      const [received] = receiver().requests
      const payload = new Webhook('whsec_AAAA').verify(received!.body, received!.headers as Record<string, string>)
      expect(payload).toMatchObject({
        ...{ test: true, trigger, event_id: body.event_id, call_count: 1, metadata: { first_name: 'Test' } },
        last_chat: { outcome: 'COMPLETED', is_contact: true },
      })
      expect('call' in (payload as object)).toBe(/^CALL_COMPLETE|^BEFORE|^SMS_COMPLETE/.test(trigger))
      expect('sms' in (payload as object)).toBe(trigger === 'SMS_COMPLETE')
      expect((await list(id)).body).toMatchObject({ count: 1, results: [{ event_id: body.event_id, status: 'delivered', lead: null }] })
    },
  )

  it('a test event is refused for a foreign or disabled subscription', async () => {
    const id = await subscribe()
    expect((await test(id, { Authorization: `Token ${OTHER_KEY}` })).status).toBe(404)
    await disableSubscription(OWNER, id, { reason: 'Gone.', at: 1 })
    expect((await test(id)).status).toBe(409)
    expect(await sent()).toEqual([])
  })
})
