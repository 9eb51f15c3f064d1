import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { DeliveryMessage } from '#shared/schema/messages.ts'
import { claimAttempt, dueDeliveries } from '#shared/storage/deliveries.ts'
import { FAST, PAYLOAD, serviceNow, startDelivering, tick } from '#test/support/delivering.ts'

let world: Awaited<ReturnType<typeof startDelivering>>

beforeAll(async () => {
  world = await startDelivering()
})
beforeEach(() => world.reset())
afterAll(() => world?.stop())

const due = async (message: DeliveryMessage) => {
  const found = await dueDeliveries(1, Date.parse('2100-01-01'), 1000)
  return found.filter(({ message: { delivery_id } }) => delivery_id === message.delivery_id)
}

describe('retries', () => {
  it('of a failing destination follow the schedule to its end', async () => {
    await world.receive(() => ({ status: 500, body: 'no' }))
    const message = await world.pendingAlone()
    const waits: number[] = []
    const before = await world.queues.delayed(FAST)
    for (let made = 1; made < 10; made++) {
      await world.deliver(message)
      expect(world.requests()).toHaveLength(made)
      const { status, next_attempt_time } = await world.logOf(message)
      expect(status).toBe('pending')
      expect(await due(message)).toMatchObject([{ message, due: next_attempt_time }])
      waits.push((next_attempt_time! - serviceNow()) / 1000)
      await world.deliver(message)
      expect(world.requests()).toHaveLength(made)
      tick(next_attempt_time! - serviceNow())
    }
    expect((await world.queues.delayed(FAST)) - before).toBe(2)
    const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    waits.forEach((wait, index) => {
      expect(Math.abs(wait - schedule[index]!)).toBeLessThan(schedule[index]! * 0.1 + 1)
    })
    await world.deliver(message)
    const log = await world.logOf(message)
    expect(log).toMatchObject({ status: 'failed', next_attempt_time: null })
    expect(log.attempts).toHaveLength(10)
    expect(log.attempts[9]).toMatchObject({ status_code: 500, error: 'The destination answered 500.', response_body: 'no' })
    expect(await due(message)).toEqual([])
    expect(new Set(world.requests().map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(world.requests().map(({ body }) => body))).toEqual(new Set([PAYLOAD]))
  })

  it('end with the first success', async () => {
    await world.receive((_, count) => ({ status: count === 1 ? 503 : 200 }))
    const message = await world.pendingAlone()
    await world.deliver(message)
    tick(6_000)
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 503 }, { status_code: 200 }] })
    expect(await due(message)).toEqual([])
  })

  it('come back through the queue after the wait', async () => {
    const message = await world.pendingAlone({ url: 'http://127.0.0.1:1/' })
    await world.deliver(message)
    const before = await world.sentTo(FAST)
    await new Promise((resolve) => setTimeout(resolve, 6_500))
    const after = await world.sentTo(FAST)
    expect(before).not.toContainEqual(message)
    expect(after.filter(({ delivery_id }) => delivery_id === message.delivery_id)).toEqual([message])
    expect(await world.logOf(message)).toMatchObject({ attempts: [{ status_code: null, error: 'The request failed: ECONNREFUSED.' }] })
  })

  it.each([
    ['seconds', () => '600', 600],
    ['a date', () => new Date(Date.now() + 600_000).toUTCString(), 600],
    ['less than the schedule has', () => '1', 5],
    ['too much', () => '99999999', 86_400],
  ])('keep to Retry-After: %s', async (_, header, expected) => {
    await world.receive(() => ({ status: 429, headers: { 'retry-after': header() } }))
    const message = await world.pendingAlone()
    await world.deliver(message)
    const wait = ((await world.logOf(message)).next_attempt_time! - serviceNow()) / 1000
    expect(Math.abs(wait - expected)).toBeLessThan(2)
  })

  it('of which one is being made elsewhere are left to that one, until it is given up', async () => {
    await world.receive()
    const message = await world.pendingAlone(
      {},
      { attempts: [{ time: 1, status_code: 500, duration_ms: 1, error: null, response_body: null }] },
    )
    expect(await claimAttempt(await world.logOf(message), serviceNow() + 30_000)).toBe(true)
    await world.deliver(message)
    expect(world.requests()).toHaveLength(0)
    tick(30_000)
    await world.deliver(message, message)
    expect(world.requests()).toHaveLength(1)
    expect((await world.logOf(message)).attempts).toHaveLength(2)
  })
})
