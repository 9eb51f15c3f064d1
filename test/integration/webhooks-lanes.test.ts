import { setTimeout as later } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { sendByFastLane } from '#shared/webhooks/deliveries.ts'
import { passTime } from '#test/support/clock.ts'
import { deliveryWorld, FAST, held, SLOW } from '#test/support/delivering.ts'
import { dueDeliveries } from '#test/support/due-deliveries.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { until } from '#test/support/service.ts'

const world = deliveryWorld()

const bySlowLane = (message: DeliveryMessage): DeliveryMessage => ({ ...message, waited: 0 })
const fresh = (message: DeliveryMessage): DeliveryMessage => ({ ...message, fresh: true })
const many = <T>(count: number, make: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, make))
/** A delivery of which an attempt failed long ago. */
const retried = (id: number) =>
  world.pending(id, { attempts: [{ time: 1, status_code: 500, duration_ms: 1, error: 'No.', response_body: null }] })
const listedAt = async ({ delivery_id }: DeliveryMessage): Promise<number[]> =>
  (await dueDeliveries(Date.parse('2100-01-01'))).flatMap(({ message, due }) => (message.delivery_id === delivery_id ? due : []))

const settled = (message: DeliveryMessage) =>
  until(
    () => world.logOf(message),
    ({ status }) => status === 'delivered',
  )

const sentDuring = watchSent()

describe('the fast lane', () => {
  beforeAll(() => {
    delete process.env['WEBHOOK_TIMEOUT_MS']
  })

  it('the fast lane sends an event once to a slow receiver, and counts its success', async () => {
    const { answerNow, answered } = held()
    const receiver = await world.receive(({ path }) => (path === '/hook' ? answered : {}))
    const id = await world.subscribe()
    const [message, other] = [await world.pending(id), await world.pendingAlone({ url: `${receiver.url}/other` })]
    await sendByFastLane([fresh(other)])
    const run = world.deliverFrom(FAST, fresh(message))
    // The run takes the other one after two seconds.
    await settled(other)
    expect(await world.logOf(message)).toMatchObject({ status: 'pending', attempts: [] })
    answerNow()
    expect(await run).toEqual({ batchItemFailures: [] })
    expect(await world.logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200, error: null }] })
    expect(world.requests().map(({ path }) => path)).toEqual(['/hook', '/other'])
    expect([await world.sentTo(SLOW), await world.sentTo(FAST)]).toEqual([[], []])
    expect((await world.subscription(id)).slow_since).toBeNull()
  })

  it('the fast lane serves other destinations while ten requests are slow, and moves only later deliveries', async () => {
    const { answerNow, answered } = held()
    const receiver = await world.receive(({ path }) => (path === '/hook' ? answered : {}))
    const id = await world.subscribe()
    const slow = (await many(10, () => world.pending(id))).map(fresh)
    const others = (await many(25, () => world.pendingAlone({ url: `${receiver.url}/other` }))).map(fresh)
    const later = fresh(await world.pending(id))
    const run = world.deliverFrom(FAST, ...slow)
    await until(
      () => world.subscription(id),
      ({ slow_since }) => slow_since !== null,
    )
    await sendByFastLane([later, ...others])
    for (const other of others) await settled(other)
    expect(world.requests().filter(({ path }) => path === '/hook')).toHaveLength(10)
    answerNow()
    await run
    for (const message of slow) expect(await world.logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] })
    expect(world.requests()).toHaveLength(35)
    expect(await world.sentTo(SLOW)).toEqual([bySlowLane(later)])
  })

  it('the fast lane marks a destination as slow after five slow attempts, even before an answer', async () => {
    const { answerNow, answered } = held()
    const receiver = await world.receive(({ path }) => (path === '/hook' ? answered : {}))
    const id = await world.subscribe()
    const other = await world.pendingAlone({ url: `${receiver.url}/other` })
    await sendByFastLane([fresh(other)])
    const four = world.deliverFrom(FAST, ...(await many(4, () => world.pending(id))))
    await settled(other)
    expect((await world.subscription(id)).slow_since).toBeNull()
    const fifth = world.deliver(await world.pending(id))
    await until(
      () => world.subscription(id),
      ({ slow_since }) => slow_since !== null,
    )
    answerNow()
    await Promise.all([four, fifth])
    expect(world.requests()).toHaveLength(6)
  })

  it('the fast lane passes deliveries for a slow destination to the slow lane', async () => {
    await world.receive()
    const message = await world.pending(await world.subscribe({ slow_since: 1 }))
    await world.deliver(fresh(message))
    expect(await world.sentTo(SLOW)).toEqual([bySlowLane(fresh(message))])
    expect(world.requests()).toHaveLength(0)
    expect(await world.logOf(message)).toMatchObject({ status: 'pending', attempts: [] })
  })

  it('the fast lane keeps a quick destination without writing anything about it', async () => {
    await world.receive()
    const id = await world.subscribe()
    const before = await world.subscription(id)
    await world.deliver(...(await many(2, () => world.pending(id))))
    expect(await world.subscription(id)).toEqual(before)
    expect(await world.sentTo(SLOW)).toEqual([])
  })
})

describe('the slow lane', () => {
  beforeAll(() => {
    process.env['WEBHOOK_TIMEOUT_MS'] = '2800'
  })

  it('the slow lane makes ten attempts at once, and lets fresh deliveries wait without a write', async () => {
    await world.receive(async () => {
      await later(500)
      return {}
    })
    const id = await world.subscribe({ slow_since: 1 })
    const messages = (await many(14, () => world.pending(id))).map((message) => bySlowLane(fresh(message)))
    const before = new Map(await Promise.all(messages.map(async (message) => [message, await world.logOf(message)] as const)))
    const sent = await sentDuring(() => world.deliver(...messages))
    expect(world.requests()).toHaveLength(10)
    const logs = await Promise.all(messages.map(world.logOf))
    const waiting = messages.filter((_, index) => logs[index]?.status === 'pending')
    expect(waiting).toHaveLength(4)
    for (const message of waiting) expect(await world.logOf(message)).toEqual(before.get(message))
    expect(sent.filter(({ delaySeconds }) => delaySeconds > 0)).toHaveLength(4)
    passTime(MINUTE)
    await world.deliver(...messages)
    expect(world.requests()).toHaveLength(14)
  })

  it('the slow lane postpones a waiting retry once in the due list, however many messages it has', async () => {
    await world.receive()
    const id = await world.subscribeDead()
    const message = await retried(id)
    const sent = await sentDuring(() => world.deliver(bySlowLane(message), bySlowLane(message), bySlowLane(message)))
    expect(sent.map(({ delaySeconds }) => delaySeconds > 0)).toEqual([true])
    const { next_attempt_time } = await world.logOf(message)
    const wait = next_attempt_time! - now()
    expect([wait > 20_000, wait < 40_000]).toEqual([true, true])
    // Behind the message, for the sweep to send another only when that one is lost.
    expect(await listedAt(message)).toEqual([next_attempt_time! + 5 * MINUTE])
    await world.deliver(bySlowLane(message))
    expect(world.requests()).toHaveLength(0)
  })

  it('the slow lane loses no waiting delivery while its queue is down', async () => {
    await world.receive()
    const slow = await world.subscribeDead()
    const [waiting, listed] = [await world.pending(slow), await retried(slow)]
    const messages = [bySlowLane(fresh(waiting)), bySlowLane(listed)]
    const { batchItemFailures } = await whileQueueIsMissing(SLOW, () => world.deliver(...messages))
    expect(batchItemFailures).toHaveLength(2)
    expect(await listedAt(listed)).toHaveLength(1)
    const sent = await sentDuring(() => world.deliver(...messages))
    expect(sent.filter(({ delaySeconds }) => delaySeconds > 0)).toHaveLength(1)
  })

  it('the slow lane slows down to one request a minute for a dead destination', async () => {
    await world.receive(() => new Promise(() => {}))
    const id = await world.subscribe({ slow_since: 1 })
    const told: number[] = []
    for (let minute = 0; minute < 6; minute++) {
      const before = world.requests().length
      await world.deliver(...(await many(minute === 0 ? 12 : 7, () => world.pending(id))).map((message) => bySlowLane(fresh(message))))
      told.push(world.requests().length - before)
      passTime(MINUTE)
    }
    expect(told).toEqual([10, 5, 2, 1, 1, 1])
  })

  it('the slow lane returns a destination to the fast lane after five quick answers, errors included', async () => {
    await world.receive((_, count) => ({ status: count % 2 ? 500 : 200 }))
    const id = await world.subscribe({ slow_since: 1 })
    for (let round = 1; round <= 5; round++) {
      expect((await world.subscription(id)).slow_since).toBe(1)
      await world.deliver(bySlowLane(await world.pending(id)))
      await later(60)
    }
    expect(await world.subscription(id)).toMatchObject({ slow_since: null, enabled: true })
    await world.deliver(bySlowLane(await world.pending(id)), await world.pending(id))
    expect(world.requests()).toHaveLength(7)
  })
})
