import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler } from '#functions/workers/match-webhooks.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { now } from '#shared/platform/clock.ts'
import { disableSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { suiteQueues, suiteTable } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { aLead, anEvent, aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'

const QUEUE = 'DELIVERY_QUEUE_URL'
const SECOND = 1000
suiteTable()
const queues = suiteQueues([QUEUE, 'SLOW_DELIVERY_QUEUE_URL'])
let serial = 0
let owner = 0
beforeEach(() => {
  owner++
  setClock(Date.now())
})
afterAll(() => setClock(Date.now()))

const save = (id: number, fields: Partial<Subscription> = {}) => saveSubscription(aSubscription({ id, owner, ...fields }))
const eventAt = (event_time: number, fields: Partial<LeadEvent> = {}) =>
  anEvent({ event_id: `e${++serial}.LEAD_CREATED`, owner, lead: aLead({ owner }), event_time, ...fields })
const match = (...events: LeadEvent[]) =>
  handler(batchOf(events.map((detail) => ({ version: '0', source: 'lead-outreach', 'detail-type': detail.trigger, detail }))))
/** Read units of events that no subscription asks for. */
const readFor = async (count: number, at: number): Promise<number> =>
  (await unitsOf(() => match(...Array.from({ length: count }, () => eventAt(at, { trigger: 'CALL_DNC' }))))).read
const subscribersSent = async () => (await queues().take(QUEUE)).map((body) => JSON.parse(body).subscription)

describe('the subscriptions of an owner', () => {
  it('the subscriptions of an owner are read once for all events of a batch', async () => {
    await save(70)
    expect(await readFor(10, now())).toBe(1)
  })

  it('the subscriptions of an owner are not read again for events that happened before the last read', async () => {
    await save(71)
    const at = now()
    passTime(SECOND)
    expect(await readFor(1, at)).toBe(1)
    expect(await readFor(10, at + SECOND / 2)).toBe(0)
  })

  it("a new event reads its owner's subscriptions again, so that a new subscription receives it", async () => {
    expect(await readFor(1, now())).toBe(1)
    passTime(SECOND)
    await save(72)
    await match(eventAt(now()))
    expect(await subscribersSent()).toEqual([72])
  })

  it('the subscriptions of an owner are read again after ten seconds, so that every change is seen', async () => {
    await save(73)
    const at = now()
    passTime(SECOND)
    await readFor(1, at)
    await disableSubscription(owner, 73, { reason: 'Gone.', at })
    passTime(10 * SECOND)
    await match(eventAt(at))
    expect(await subscribersSent()).toEqual([])
  })

  it('the subscriptions of an owner are read once a second for a thousand events a second, each a second late', async () => {
    for (let id = 200; id < 300; id++) await save(id)
    const alone = await readFor(1, now())
    let read = 0
    const batches = 300
    for (let batch = 0; batch < batches; batch++) {
      passTime(10)
      read += await readFor(10, now() - SECOND)
    }
    const seconds = batches / 100
    expect(read / alone).toBeLessThanOrEqual(2 * seconds)
  })
})
