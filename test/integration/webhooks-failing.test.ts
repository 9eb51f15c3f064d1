import { describe, expect, it } from '@jest/globals'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { now } from '#shared/platform/clock.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { DAY, HOUR } from '#shared/platform/values/durations.ts'
import { DELAYS } from '#shared/webhooks/rules/after-attempt.ts'
import { enableSubscription, noteFailing, noteWellAgain } from '#shared/webhooks/subscription-store.ts'
import { passTime } from '#test/support/clock.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { askForDeliveries } from '#test/support/delivery-pages.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { OWNER } from '#test/support/webhook-fixtures.ts'
import { KEY } from '#test/support/world.ts'

const FIVE_DAYS = 'All attempts failed for five days.'

const world = deliveryWorld({ timeoutMs: 2_800 })
const sentDuring = watchSent()

/** A delivery before its last attempt. */
const beforeLast = (id: number): Promise<DeliveryMessage> => {
  const attempt = { time: now(), status_code: 500, duration_ms: 1, error: null, response_body: null }
  return world.pending(id, { attempts: Array(DELAYS.length).fill(attempt) })
}

const fail = async (id: number, ...messages: DeliveryMessage[]) => {
  await world.deliver(...messages)
  return world.subscription(id)
}

/** Fails the first attempt of a delivery that waited in the slow lane. */
const failSlowly = async (id: number) => fail(id, { ...(await world.pending(id)), fresh: true, waited: 600 })

describe('a failing subscription', () => {
  it('a subscription that fails for five days is disabled with the reason, and so are its deliveries', async () => {
    await world.receive(() => ({ status: 500 }))
    const id = await world.subscribe()
    const message = await world.pending(id)
    expect((await fail(id, message)).failing_since).toBeNull()
    passTime(6_000)
    const { failing_since } = await fail(id, message)
    expect(failing_since).toEqual(expect.any(Number))
    passTime(4 * DAY)
    expect(await fail(id, message)).toMatchObject({ enabled: true, failing_since })
    passTime(DAY)
    const [last, other] = [await beforeLast(id), await world.pending(id)]
    const disabled = await fail(id, last)
    expect(disabled).toMatchObject({ enabled: false, failing_since, disabled_reason: FIVE_DAYS })
    const { status, attempts, next_attempt_time } = await world.logOf(last)
    expect({ status, next_attempt_time, error: attempts.at(-1)!.error }).toEqual({
      status: 'disabled',
      next_attempt_time: null,
      error: `The destination answered 500. The subscription is disabled: ${FIVE_DAYS}`,
    })
    await world.deliver(other)
    expect(await world.logOf(other)).toMatchObject({ status: 'disabled', attempts: [] })
    expect(world.requests()).toHaveLength(4)
  })

  it('a subscription that failed days ago, and had no event since, stays enabled when an attempt fails that is not the last', async () => {
    await world.receive(() => ({ status: 503 }))
    const id = await world.subscribe({ failing_since: now() - 6 * DAY })
    const message = await world.pending(id)
    expect(await fail(id, message)).toMatchObject({ enabled: true })
    passTime(6_000)
    expect(await fail(id, message)).toMatchObject({ enabled: true })
    expect(await world.logOf(message)).toMatchObject({ status: 'pending', attempts: [{ status_code: 503 }, { status_code: 503 }] })
    expect(await fail(id, await beforeLast(id))).toMatchObject({ enabled: false, disabled_reason: FIVE_DAYS })
  })

  it('a failing subscription recovers with the first success', async () => {
    await world.receive((_, count) => ({ status: count < 3 ? 500 : 200 }))
    const id = await world.subscribe()
    const message = await world.pending(id)
    await fail(id, message)
    passTime(6_000)
    expect((await fail(id, message)).failing_since).not.toBeNull()
    expect((await fail(id, await world.pending(id))).failing_since).toBeNull()
    passTime(6 * DAY)
    expect(await fail(id, await world.pending(id))).toMatchObject({ enabled: true, failing_since: null })
  })

  it.each([
    ['another delivery succeeded', 500, (id: number) => noteWellAgain(OWNER, id)],
    [
      'another one succeeded, and one failed',
      500,
      async (id: number) => {
        await noteWellAgain(OWNER, id)
        await noteFailing(await world.subscription(id), now())
      },
    ],
    ['its customer enabled it', 500, (id: number) => enableSubscription(OWNER, id, now())],
    ['its customer enabled it', 410, (id: number) => enableSubscription(OWNER, id, now())],
  ])('a failing subscription stays enabled when %s during the attempt that was answered with %i', async (_, code, meanwhile) => {
    let id = 0
    await world.receive(async () => {
      await meanwhile(id)
      return { status: code }
    })
    id = await world.subscribe({ failing_since: now() - 6 * DAY })
    const message = await beforeLast(id)
    expect(await fail(id, message)).toMatchObject({ enabled: true, disabled_reason: null })
    const { status, attempts } = await world.logOf(message)
    expect(status).toBe('failed')
    expect(attempts.at(-1)).toMatchObject({ status_code: code, error: `The destination answered ${code}.` })
  })

  it('a subscription is disabled after five days of failed first attempts, and the deliveries that wait for their turn end with their status', async () => {
    const id = await world.subscribe({ url: 'http://127.0.0.1:1/', slow_since: 1 })
    const waiting = { ...(await world.pending(id)), fresh: true as const, waited: 600 }
    for (let day = 0; day < 5; day++) {
      expect(await failSlowly(id)).toMatchObject({ enabled: true, failing_since: expect.any(Number) })
      passTime(DAY)
    }
    expect(await failSlowly(id)).toMatchObject({ enabled: false, disabled_reason: FIVE_DAYS })
    await world.deliver(waiting)
    expect(await world.logOf(waiting)).toMatchObject({ status: 'disabled', attempts: [], next_attempt_time: null })
  })

  it('a subscription stays enabled while its failures leave out a day, and the five days begin again', async () => {
    const id = await world.subscribe({ url: 'http://127.0.0.1:1/', slow_since: 1 })
    for (const days of [0, 1, 1, 1, 2, 1, 1, 1, 1]) {
      passTime(days * DAY)
      expect(await failSlowly(id)).toMatchObject({ enabled: true })
    }
    passTime(DAY)
    expect(await failSlowly(id)).toMatchObject({ enabled: false, disabled_reason: FIVE_DAYS })
  })

  it('a failing subscription is written once a day, however many attempts fail', async () => {
    const id = await world.subscribe({ url: 'http://127.0.0.1:1/', slow_since: 1 })
    const noted: unknown[] = []
    for (let hour = 0; hour < 48; hour += 6) {
      noted.push((await failSlowly(id)).daily_failures?.last)
      passTime(6 * HOUR)
    }
    expect(new Set(noted).size).toBe(2)
  })
})

describe('a delivery that waits for its turn at a slow destination', () => {
  const OLD = 28 * DAY
  const attempt = { time: 1, status_code: 500, duration_ms: 1, error: 'No.', response_body: null }

  it.each([
    ['before its first attempt', { fresh: true as const }, []],
    ['for a retry', {}, [attempt]],
  ])('a delivery that waits %s is given up, and is on the list of failed ones, before the log drops it', async (_, fields, attempts) => {
    await world.receive()
    await saveApiKey(KEY, { user: OWNER, created_time: now() })
    const id = await world.subscribeDead()
    const message = { ...(await world.pending(id, { attempts, created_time: now() - OLD })), ...fields, waited: 600 }
    expect(await sentDuring(() => world.deliver(message))).toEqual([])
    const given = { status_code: null, error: 'The delivery became too old before its turn at the slow destination came.' }
    expect(await world.logOf(message)).toMatchObject({ status: 'failed', attempts: [...attempts, given], next_attempt_time: null })
    const { body } = await askForDeliveries(id, 'status=failed')
    expect(body.results.map(({ delivery_id }: { readonly delivery_id: string }) => delivery_id)).toEqual([message.delivery_id])
    expect(world.requests()).toHaveLength(0)
  })
})
