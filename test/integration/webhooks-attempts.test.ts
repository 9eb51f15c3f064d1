import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { claimAttempt, reviveDelivery } from '#shared/webhooks/delivery-store.ts'
import { CUT_SHORT } from '#shared/webhooks/rules/after-attempt.ts'
import { passTime } from '#test/support/clock.ts'
import { deliveryWorld, FAST, held, PAYLOAD } from '#test/support/delivering.ts'
import { dueDeliveries } from '#test/support/due-deliveries.ts'
import { eventually, until } from '#test/support/eventually.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { OWNER } from '#test/support/webhook-fixtures.ts'

const sentDuring = watchSent()

/** Seconds from now to the next attempt. */
const waitOf = async (message: DeliveryMessage): Promise<number> => ((await world.logOf(message)).next_attempt_time! - now()) / 1000

const world = deliveryWorld()

const due = async (message: DeliveryMessage) => {
  const found = await dueDeliveries(Date.parse('2100-01-01'))
  return found.filter(({ message: { delivery_id } }) => delivery_id === message.delivery_id)
}

describe('retries', () => {
  it('retries of a delivery follow the schedule to its end when the destination fails', async () => {
    await world.receive(() => ({ status: 500, body: 'no' }))
    const message = await world.pendingAlone()
    const waits: number[] = []
    const before = await world.queues().delayed(FAST)
    for (let made = 1; made < 10; made++) {
      await world.deliver(message)
      expect(world.requests()).toHaveLength(made)
      const { status, next_attempt_time } = await world.logOf(message)
      expect(status).toBe('pending')
      expect(await due(message)).toMatchObject([{ message, due: next_attempt_time }])
      waits.push(await waitOf(message))
      await world.deliver(message)
      expect(world.requests()).toHaveLength(made)
      passTime(next_attempt_time! - now())
    }
    expect((await world.queues().delayed(FAST)) - before).toBe(2)
    const schedule = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    waits.forEach((wait, index) => {
      const wanted = schedule[index]!
      expect(wait).toBeLessThanOrEqual(wanted * 1.1)
      expect(wait).toBeGreaterThanOrEqual(wanted * 0.9)
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

  it('retries of a delivery end with the first success', async () => {
    await world.receive((_, count) => ({ status: count === 1 ? 503 : 200 }))
    const message = await world.pendingAlone()
    await world.deliver(message)
    passTime(6_000)
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 503 }, { status_code: 200 }] })
    expect(await due(message)).toEqual([])
  })

  it('a retry of a delivery comes back through the queue after its wait', async () => {
    const message = await world.pendingAlone({ url: 'http://127.0.0.1:1/' })
    const sent = await sentDuring(() => world.deliver(message))
    expect(sent).toEqual([{ body: message, group: `${OWNER}`, delaySeconds: expect.any(Number) }])
    expect(sent[0]!.delaySeconds).toBeGreaterThanOrEqual(4)
    const came: unknown[] = []
    await eventually(async () => {
      came.push(...(await world.sentTo(FAST)).filter(({ delivery_id }) => delivery_id === message.delivery_id))
      return came.length > 0
    })
    expect(came).toEqual([message])
    expect(await world.logOf(message)).toMatchObject({ attempts: [{ status_code: null, error: 'The request failed: ECONNREFUSED.' }] })
  })

  it.each([
    ['seconds', () => '600', 600],
    ['a date', () => new Date(Date.now() + 600_000).toUTCString(), 600],
    ['less than the schedule has', () => '1', 5],
    ['too much', () => '99999999', 86_400],
  ])('retries of a delivery follow Retry-After within limits: %s', async (_, header, expected) => {
    await world.receive(() => ({ status: 429, headers: { 'retry-after': header() } }))
    const message = await world.pendingAlone()
    await world.deliver(message)
    // A date has whole seconds by the machine's clock, and the schedule is spread by a tenth.
    expect(Math.abs((await waitOf(message)) - expected)).toBeLessThanOrEqual(expected / 10)
  })

  it('a delivery waits for the attempt that another run is making, until it times out', async () => {
    await world.receive()
    const message = await world.pendingAlone(
      {},
      { attempts: [{ time: 1, status_code: 500, duration_ms: 1, error: null, response_body: null }] },
    )
    expect(await claimAttempt(await world.logOf(message), { begun: now(), until: now() + 30_000 })).toBe(true)
    await world.deliver(message)
    expect(world.requests()).toHaveLength(0)
    passTime(30_000)
    await world.deliver(message, message)
    expect(world.requests()).toHaveLength(1)
    expect((await world.logOf(message)).attempts.map(({ error }) => error)).toEqual([null, CUT_SHORT, null])
  })

  it('a delivery is retried after a first attempt that was cut short, which is logged but not counted', async () => {
    await world.receive(() => ({ status: 500 }))
    const message = { ...(await world.pendingAlone()), fresh: true as const }
    const received = now() - 240_000
    await world.deliverAgain(2, received, message)
    const { attempts } = await world.logOf(message)
    expect(attempts).toMatchObject([{ status_code: null, error: CUT_SHORT }, { status_code: 500 }])
    // The queue goes by the machine's clock, which runs on.
    expect(attempts[0]!.time).toBeLessThanOrEqual(received)
    // As after a first attempt.
    expect(await waitOf(message)).toBeLessThan(10)
  })

  it('a retry after a timeout comes at its time, even if the message of the first attempt arrives again', async () => {
    const { answerNow, answered } = held()
    await world.receive((_, count) => (count === 1 ? answered : {}))
    const message = await world.pendingAlone()
    // This run never ends.
    const ended = world.deliver({ ...message, fresh: true })
    const { begun_time } = await until(
      () => world.logOf(message),
      (delivery) => delivery.begun_time !== null,
    )
    expect((await due(message)).map((listed) => listed.due)).toEqual([begun_time! + 30_000])
    await world.deliver({ ...message, fresh: true })
    expect(world.requests()).toHaveLength(1)
    passTime(31_000)
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({
      status: 'delivered',
      attempts: [{ time: begun_time, status_code: null, error: CUT_SHORT }, { status_code: 200 }],
      begun_time: null,
    })
    answerNow()
    await ended
    expect(await world.logOf(message)).toMatchObject({
      attempts: [{ time: begun_time, status_code: 200, error: null }, { status_code: 200 }],
    })
  })

  it('a delivery fails after forty attempts that were cut short', async () => {
    await world.receive()
    const attempt = { time: 1, status_code: null, duration_ms: 0, error: CUT_SHORT, response_body: null }
    const attempts = Array.from({ length: 39 }, () => attempt)
    const message = await world.pendingAlone({}, { attempts, earlier_attempts: 39, begun_time: 1 })
    await world.deliver(message)
    expect(await world.logOf(message)).toMatchObject({ status: 'failed', attempts: [...attempts, attempt] })
    expect(world.requests()).toHaveLength(0)
  })
})

describe('parallel attempts of a delivery', () => {
  /** Each request waits for its answer. */
  const receiveHeld = async () => {
    const answers: ((status: number) => void)[] = []
    await world.receive(async () => ({ status: await new Promise<number>((resolve) => answers.push(resolve)) }))
    const arrived = (count: number) => eventually(async () => answers.length === count)
    return { arrived, answer: (request: number, status: number) => answers[request]?.(status) }
  }
  const codesOf = async (message: DeliveryMessage) => (await world.logOf(message)).attempts.map(({ status_code }) => status_code)
  const freshAlone = async () => ({ ...(await world.pendingAlone()), fresh: true as const })
  /** Sends a delivery again while its first attempt runs. */
  const resend = async ({ fresh: _, ...message }: DeliveryMessage) => {
    await reviveDelivery(await world.logOf(message), now())
    return world.deliver(message)
  }

  it.each([
    ['an attempt that ran beside a resend', resend],
    ['another attempt for a repeated message', (message: DeliveryMessage) => world.deliver(message)],
  ])('a success is recorded and ends the delivery, although %s failed first', async (_, again) => {
    const { arrived, answer } = await receiveHeld()
    const message = await freshAlone()
    const first = world.deliver(message)
    await arrived(1)
    const second = again(message)
    await arrived(2)
    answer(0, 500)
    await first
    answer(1, 200)
    await second
    expect([await codesOf(message), (await world.logOf(message)).status]).toEqual([[500, 200], 'delivered'])
    expect(await due(message)).toEqual([])
    passTime(HOUR)
    await world.deliver({ ...message, fresh: undefined })
    expect(world.requests()).toHaveLength(2)
  })

  it('a failure is logged after the success of a parallel attempt, which stays', async () => {
    const { arrived, answer } = await receiveHeld()
    const message = await freshAlone()
    const both = [world.deliver(message), world.deliver(message)]
    await arrived(2)
    answer(0, 200)
    await until(
      () => world.logOf(message),
      ({ status }) => status === 'delivered',
    )
    answer(1, 500)
    await Promise.all(both)
    expect([await codesOf(message), (await world.logOf(message)).status]).toEqual([[200, 500], 'delivered'])
  })

  it('a retry keeps its place in the schedule when a parallel first attempt ends during it', async () => {
    const { arrived, answer } = await receiveHeld()
    const message = await freshAlone()
    const both = [world.deliver(message), world.deliver(message)]
    await arrived(2)
    answer(0, 500)
    await until(
      () => codesOf(message),
      ({ length }) => length === 1,
    )
    passTime(6_000)
    const retry = world.deliver({ ...message, fresh: undefined })
    await arrived(3)
    answer(1, 502)
    await Promise.all(both)
    answer(2, 503)
    await retry
    expect(await codesOf(message)).toEqual([500, 502, 503])
    const wait = await waitOf(message)
    // As after a second attempt.
    expect([wait > 200, wait < 400]).toEqual([true, true])
    expect(await world.logOf(message)).toMatchObject({ status: 'pending', begun_time: null })
  })
})
