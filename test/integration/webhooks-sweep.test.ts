import { describe, expect, it } from '@jest/globals'
import { handler as sendTest } from '#functions/webhooks/test.ts'
import { handler as sweep } from '#functions/workers/dispatch-due.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { newDelivery } from '#shared/webhooks/deliveries.ts'
import { insertWatchedDeliveries } from '#shared/webhooks/delivery-store.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { setClock } from '#test/support/clock.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { anEvent, aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER, request } from '#test/support/world.ts'

/** After which the sweep looks for deliveries that were written with a place in its list. */
const LISTED_AFTER = 5 * MINUTE

suiteWorld()

/** Deliveries that are due `at`, all of one shard. */
const list = async (subscription: number, count: number, at: number, owner = OWNER): Promise<void> => {
  const deliveries = Array.from({ length: count }, (_, index) =>
    newDelivery(anEvent({ event_id: `s${subscription}-${index}`, lead_id: 1000, owner }), { id: subscription }, '{}', NOON),
  )
  await insertWatchedDeliveries(deliveries, at - LISTED_AFTER)
}
const sentBy = watchSent()
const countOf = (messages: Awaited<ReturnType<typeof sentBy>>, id: number) => messages.filter(({ body }) => body.subscription === id).length

describe('the sweep of retries', () => {
  it('the sweep of retries shares its capacity between subscriptions with overdue deliveries, and sends all current ones', async () => {
    await list(1, 700, NOON - 20 * MINUTE)
    await list(2, 3, NOON - 2 * MINUTE)
    await list(3, 620, NOON - MINUTE / 2)
    await list(4, 1, NOON + MINUTE)
    setClock(NOON)
    const messages = (await sentBy(() => sweep())).filter(({ body }) => 'delivery_id' in body)
    expect([1, 2, 3, 4].map((id) => countOf(messages, id))).toEqual([122, 3, 620, 1])
    const delayed = messages.filter(({ delaySeconds }) => delaySeconds > 0)
    expect(delayed.map(({ body }) => body.subscription)).toEqual([4])
  })

  it('the sweep of retries lets owners take turns, however many subscriptions one has, and groups messages by owner', async () => {
    for (let id = 11; id < 21; id++) await list(id, 60, NOON - 120 * MINUTE, 77)
    await list(21, 5, NOON - 2 * MINUTE, 78)
    setClock(NOON)
    const messages = (await sentBy(() => sweep())).filter(({ body }) => body.subscription > 10)
    expect(countOf(messages, 21)).toBe(5)
    expect(messages.filter(({ group, body }) => group !== `${body.owner}`)).toEqual([])
    const ofEach = Array.from({ length: 10 }, (_, index) => countOf(messages, 11 + index))
    expect(Math.max(...ofEach) - Math.min(...ofEach)).toBeLessThanOrEqual(1)
  })

  it('the sweep of retries resends an overdue delivery at growing intervals', async () => {
    await list(31, 1, NOON + 1_000 * MINUTE)
    const counts: number[] = []
    for (let minute = 1; minute <= 64; minute++) {
      setClock(NOON + (1_000 + minute) * MINUTE + MINUTE / 2)
      if (countOf(await sentBy(() => sweep()), 31) > 0) counts.push(minute)
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64])
  })

  it('the sweep of retries sends a test delivery only if its message was lost', async () => {
    await saveSubscription(aSubscription({ id: 41, owner: OWNER }))
    const test = () => request(sendTest, { method: 'POST', path: '/api/webhooks/41/test/', parameters: { id: '41' } })
    const at = NOON + 2_000 * MINUTE
    setClock(at)
    expect((await test()).status).toBe(202)
    const sweeps = async () => {
      let count = 0
      for (let minute = 1; minute <= 8; minute++) {
        setClock(at + minute * MINUTE)
        count += countOf(await sentBy(() => sweep()), 41)
      }
      return count
    }
    expect(await sweeps()).toBe(0)
    setClock(at)
    expect((await whileQueueIsMissing('DELIVERY_QUEUE_URL', test)).status).toBe(202)
    expect(await sweeps()).toBeGreaterThan(0)
  })
})
