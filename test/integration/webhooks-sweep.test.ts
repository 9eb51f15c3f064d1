import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { handler as sweep } from '#functions/workers/dispatch-due/index.ts'
import { newDelivery } from '#shared/operations/deliveries.ts'
import { insertWatchedDeliveries } from '#shared/storage/deliveries.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { anEvent } from '#test/support/webhook-fixtures.ts'
import { setClock, startWorld } from '#test/support/world.ts'

const MINUTE = 60_000
/** After which the sweep looks for deliveries that were written with a place in its list. */
const LISTED_AFTER = 5 * MINUTE

let world: Awaited<ReturnType<typeof startWorld>>

/** Deliveries that are due `at`, all of one shard. */
const list = async (subscription: number, count: number, at: number): Promise<void> => {
  const deliveries = Array.from({ length: count }, (_, index) =>
    newDelivery(anEvent({ event_id: `s${subscription}-${index}`, lead_id: 1000 }), { id: subscription }, '{}', NOON),
  )
  await insertWatchedDeliveries(deliveries, at - LISTED_AFTER)
}
const sentBy = watchSent()
const countOf = (messages: Awaited<ReturnType<typeof sentBy>>, id: number) => messages.filter(({ body }) => body.subscription === id).length

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

describe('the sweep of retries', () => {
  it('lets subscriptions take turns at what is overdue, and leaves out nothing that is due soon', async () => {
    await list(1, 700, NOON - 20 * MINUTE)
    await list(2, 3, NOON - 2 * MINUTE)
    await list(3, 620, NOON - MINUTE / 2)
    await list(4, 1, NOON + MINUTE)
    setClock(NOON)
    const messages = (await sentBy(() => sweep())).filter(({ body }) => 'delivery_id' in body)
    expect([1, 2, 3, 4].map((id) => countOf(messages, id))).toEqual([497, 3, 620, 1])
    const delayed = messages.filter(({ delaySeconds }) => delaySeconds > 0)
    expect(delayed.map(({ body }) => body.subscription)).toEqual([4])
  }, 60_000)
})
