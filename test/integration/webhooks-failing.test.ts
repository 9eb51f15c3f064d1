import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { DELAYS } from '#shared/webhooks/rules/after-attempt.ts'
import { enableSubscription, noteFailing, noteWellAgain } from '#shared/webhooks/subscription-store.ts'
import { passTime } from '#test/support/clock.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { OWNER } from '#test/support/webhook-fixtures.ts'

const FIVE_DAYS = 'All attempts failed for five days.'

const world = deliveryWorld({ timeoutMs: 2_800 })

/** A delivery before its last attempt. */
const beforeLast = (id: number): Promise<DeliveryMessage> => {
  const attempt = { time: now(), status_code: 500, duration_ms: 1, error: null, response_body: null }
  return world.pending(id, { attempts: Array(DELAYS.length).fill(attempt) })
}

const fail = async (id: number, ...messages: DeliveryMessage[]) => {
  await world.deliver(...messages)
  return world.subscription(id)
}

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
})
