import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Delivery, Subscription } from '#shared/schema/webhook.ts'
import { dueDeliveries, getDelivery, insertDelivery } from '#shared/storage/deliveries.ts'
import { getSubscription, saveSubscription } from '#shared/storage/subscriptions.ts'
import { saveUser } from '#shared/storage/users.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import { type QueueEngine, startQueueEngine } from '#test/support/queue-engine.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from '#test/support/receiver.ts'
import { aSubscription, batchOf, OWNER, SECRETS } from '#test/support/webhook-fixtures.ts'

let engine: Engine
let queues: QueueEngine
let handler: typeof import('#functions/workers/deliver-webhook/index.ts')['handler']
let receiver: Receiver | undefined
let serial = 500

const FAST = 'DELIVERY_QUEUE_URL'
const SLOW = 'SLOW_DELIVERY_QUEUE_URL'

const serviceNow = () => Date.now() + Number(process.env['CLOCK_OFFSET_MS'])
const tick = (ms: number) => {
  process.env['CLOCK_OFFSET_MS'] = `${Number(process.env['CLOCK_OFFSET_MS']) + Math.ceil(ms)}`
}
const receive = async (respond?: ReceiverOptions['respond']) => {
  receiver = await startReceiver(respond ? { respond } : {})
}
const subscribe = async (fields: Partial<Subscription> = {}) => {
  const id = ++serial
  await saveSubscription(aSubscription({ id, url: `${receiver?.url}/hook`, ...fields }))
  return id
}
const pending = async (subscription: number, fields: Partial<Delivery> = {}) => {
  const [now, event] = [serviceNow(), `e${++serial}`]
  const delivery: Delivery = {
    delivery_id: `${subscription}-1-${now}-${event}`,
    subscription,
    owner: OWNER,
    event_id: event,
    trigger: 'LEAD_CREATED',
    lead: 1001,
    payload: '{}',
    status: 'pending',
    attempts: [],
    earlier_attempts: 0,
    next_attempt_time: now,
    turn: null,
    created_time: now,
    expires_at: Math.floor(now / 1000) + 86_400,
    ...fields,
  }
  await insertDelivery(delivery)
  return { owner: OWNER, subscription, delivery_id: delivery.delivery_id }
}
type Message = Awaited<ReturnType<typeof pending>> & { slow?: true }
const deliver = (...messages: Message[]) => handler(batchOf(messages))
const bySlowLane = (message: Message): Message => ({ ...message, slow: true })
const logOf = async ({ delivery_id }: Message) => (await getDelivery(delivery_id))!
const own = async (id: number) => (await getSubscription(OWNER, id))!
const sentTo = async (queue: string): Promise<Message[]> => (await queues.take(queue)).map((body) => JSON.parse(body))
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  Object.assign(process.env, { PRIVATE_HOSTS: '127.0.0.1', POWERTOOLS_LOG_LEVEL: 'SILENT', WEBHOOK_TIMEOUT_MS: '2800' })
  ;[engine, queues] = await Promise.all([startEngine(), startQueueEngine([FAST, SLOW])])
  ;({ handler } = await import('#functions/workers/deliver-webhook/index.ts'))
  const user = { id: OWNER, name: 'Owner', is_staff: false, default_lead_type: null, dnc_group: 'g', lines: 10 }
  await saveUser({ ...user, webhook_secrets: SECRETS })
})
beforeEach(async () => {
  process.env['CLOCK_OFFSET_MS'] = '0'
  await Promise.all([queues.take(FAST), queues.take(SLOW)])
})
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})
afterAll(async () => {
  delete process.env['WEBHOOK_TIMEOUT_MS']
  await Promise.all([engine?.stop(), queues?.stop()])
})

describe('the fast lane', () => {
  it('marks a destination that lets one wait while it does, and lets one attempt wait for it', async () => {
    await receive(async () => {
      await later(2_400)
      return {}
    })
    const id = await subscribe()
    const [one, ...others] = await Promise.all([pending(id), pending(id), pending(id)])
    const started = Date.now()
    const done = handler(batchOf(others))
    const waiting = deliver(one!)
    await Promise.all([done, waiting])
    expect(Date.now() - started).toBeLessThan(4_000)
    expect((await own(id)).slow_since).toEqual(expect.any(Number))
    const logs = await Promise.all([one!, ...others].map(logOf))
    expect(logs.filter(({ status }) => status === 'delivered')).toHaveLength(1)
    const left = logs.filter(({ status }) => status === 'pending')
    expect(left.map(({ attempts }) => attempts)).toEqual([[], []])
    const handedOn = await sentTo(SLOW)
    expect(handedOn.map(({ delivery_id }) => delivery_id).toSorted()).toEqual(left.map(({ delivery_id }) => delivery_id).toSorted())
    expect(handedOn.every(({ slow }) => slow)).toBe(true)
  })

  it('hands on what is for a slow destination', async () => {
    await receive()
    const message = await pending(await subscribe({ slow_since: 1 }))
    await deliver(message)
    expect(await sentTo(SLOW)).toEqual([bySlowLane(message)])
    expect(receiver?.requests).toHaveLength(0)
    expect(await logOf(message)).toMatchObject({ status: 'pending', attempts: [] })
  })

  it('keeps a destination that answers within the time, and writes nothing of it', async () => {
    await receive()
    const id = await subscribe()
    const before = await own(id)
    await deliver(await pending(id), await pending(id))
    expect(await own(id)).toEqual(before)
    expect(await sentTo(SLOW)).toEqual([])
  })
})

describe('the slow lane', () => {
  it('makes attempts by turns: who has none yet is put off, and nothing waits for it', async () => {
    await receive(async () => {
      await later(500)
      return {}
    })
    const id = await subscribe({ slow_since: 1 })
    const messages = await Promise.all(Array.from({ length: 4 }, () => pending(id)))
    const started = Date.now()
    await deliver(...messages.map(bySlowLane))
    expect(Date.now() - started).toBeLessThan(2_000)
    const logs = await Promise.all(messages.map(logOf))
    const delivered = logs.filter(({ status }) => status === 'delivered')
    expect(delivered).toHaveLength(1)
    const waiting = logs.filter(({ status }) => status === 'pending')
    for (const { turn, next_attempt_time } of waiting) {
      expect(turn).toBe(next_attempt_time)
      expect(turn! - started).toBeGreaterThan(900)
    }
    expect(new Set(waiting.map(({ turn }) => turn)).size).toBe(3)
    expect(await queues.delayed(SLOW)).toBe(3)
    const found = await dueDeliveries(1, Date.parse('2100-01-01'), 1000)
    expect(found.map(({ message }) => message.delivery_id)).toEqual(expect.arrayContaining(waiting.map(({ delivery_id }) => delivery_id)))
    tick(60_000)
    await deliver(...messages.flatMap((message) => [bySlowLane(message), message, bySlowLane(message)]))
    expect(receiver?.requests).toHaveLength(4)
    expect((await Promise.all(messages.map(logOf))).map(({ status, turn }) => [status, turn])).toEqual(
      messages.map(() => ['delivered', null]),
    )
  }, 20_000)

  it('asks one that is dead less and less often', async () => {
    await receive(() => new Promise(() => {}))
    const id = await subscribe({ slow_since: 1 })
    const messages = await Promise.all(Array.from({ length: 5 }, () => pending(id)))
    await deliver(...messages.map(bySlowLane))
    tick(60_000)
    await deliver(...messages.slice(1).map(bySlowLane))
    expect(receiver?.requests).toHaveLength(5)
    const next = await pending(id)
    await deliver(bySlowLane(next))
    tick(60_000)
    const asked = serviceNow()
    const both = [await pending(id), await pending(id)]
    await deliver(...both.map(bySlowLane))
    // Three in a row: those that ran at the same time count once.
    const turns = (await Promise.all(both.map(logOf))).flatMap(({ turn }) => turn ?? [])
    expect(turns).toEqual([expect.any(Number)])
    expect(turns[0]! - asked).toBeGreaterThan(2_000)
  }, 30_000)

  it('gives a destination back after five quick answers, errors included', async () => {
    await receive((_, count) => ({ status: count % 2 ? 500 : 200 }))
    const id = await subscribe({ slow_since: 1 })
    for (let round = 1; round <= 5; round++) {
      expect((await own(id)).slow_since).toBe(1)
      tick(10_000)
      await deliver(bySlowLane(await pending(id)))
    }
    expect(await own(id)).toMatchObject({ slow_since: null, enabled: true })
    await deliver(bySlowLane(await pending(id)), await pending(id))
    expect(receiver?.requests).toHaveLength(7)
  })
})
