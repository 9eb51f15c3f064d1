import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler } from '#functions/workers/match-webhooks.ts'
import { noteErasedLeads } from '#shared/erasure/erasure-store.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { now } from '#shared/platform/clock.ts'
import {
  changeSubscription,
  deleteSubscription,
  deleteSubscriptionOfUrl,
  disableSubscription,
  enableSubscription,
  markSlow,
  saveSubscription,
} from '#shared/webhooks/subscription-store.ts'
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

const ID = 74
const subscription = (fields: Partial<Subscription> = {}) => aSubscription({ id: ID, owner, ...fields })
const disabled = () => disableSubscription(owner, ID, { reason: 'Gone.', at: now() })

/** The subscription before a change, the change, and who gets an event after it. */
const CHANGES = [
  ['updated', { trigger: ['LEAD_LOST'] }, () => changeSubscription(subscription(), { trigger: ['LEAD_CREATED'] }), [ID]],
  ['enabled', { enabled: false }, () => enableSubscription(owner, ID, now()), [ID]],
  ['disabled', {}, disabled, []],
  ['deleted', {}, () => deleteSubscription(owner, ID), []],
  ['deleted by its URL', {}, () => deleteSubscriptionOfUrl(subscription()), []],
  ['its lead erased', {}, () => noteErasedLeads(owner, new Set([1001]), now()), []],
] as const satisfies readonly (readonly [string, Partial<Subscription>, () => Promise<unknown>, readonly number[]])[]

describe('the subscriptions of an owner', () => {
  it('the subscriptions of an owner are read once for all events of a batch', async () => {
    await save(70)
    expect(await readFor(10, now())).toBe(2)
  })

  it('an event that waited long costs no read for each subscription of its owner', async () => {
    for (let id = 100; id < 200; id++) await save(id, { trigger: ['LEAD_LOST'] })
    expect(await readFor(10, now() - 61 * SECOND)).toBeLessThanOrEqual(10)
  })

  it('the subscriptions of an owner are not read again for events that were published before the last read', async () => {
    await save(71)
    const at = now()
    passTime(SECOND)
    expect(await readFor(1, at)).toBe(2)
    expect(await readFor(10, at + SECOND / 2)).toBe(0)
  })

  it("a new event reads its owner's subscriptions again, so that a new subscription receives it", async () => {
    await readFor(1, now())
    passTime(SECOND)
    await save(72)
    await match(eventAt(now()))
    expect(await subscribersSent()).toEqual([72])
  })

  it.each([
    ['happened seconds ago by the clock of the agent', () => eventAt(now() - 5 * SECOND, { published_time: now() })],
    [
      'an earlier version published',
      () => {
        const { published_time: _, ...event } = eventAt(now() - 5 * SECOND)
        return event
      },
    ],
  ])('a new subscription receives a later event that %s', async (_, laterEvent) => {
    await readFor(1, now() - SECOND)
    passTime(SECOND)
    await save(75)
    passTime(SECOND)
    await match(laterEvent())
    expect(await subscribersSent()).toEqual([75])
  })

  it.each(CHANGES)('a new event sees each earlier change of the subscriptions: %s', async (_, before, change, receivers) => {
    await save(ID, before)
    await readFor(1, now())
    passTime(SECOND)
    await change()
    await match(eventAt(now()))
    expect(await subscribersSent()).toEqual(receivers)
  })

  it('the subscriptions of an owner are read again after ten seconds, even if their version is the same', async () => {
    await save(73)
    const at = now()
    passTime(SECOND)
    await readFor(1, at)
    await markSlow({ owner, id: 73, url: aSubscription().url }, at)
    passTime(10 * SECOND)
    await match(eventAt(at))
    expect(await subscribersSent()).toEqual([])
    expect(await queues().take('SLOW_DELIVERY_QUEUE_URL')).toHaveLength(1)
  })

  it.each([
    [0.1, 0.15],
    [0.5, 0.1],
    [2, 0.1],
  ])('events that are %d s late cost at most %d read units each, for one of ten workers that match 1,000 a second', async (late, most) => {
    for (let id = 200; id < 300; id++) await save(id, { filter_condition: 'x'.repeat(1000) })
    const seconds = 20
    let read = 0
    for (let batch = 0; batch < 10 * seconds; batch++) {
      passTime(SECOND / 10)
      read += await readFor(10, now() - late * SECOND)
    }
    process.stdout.write(`${late} s late: ${read / (100 * seconds)} read units an event\n`)
    expect(read / (100 * seconds)).toBeLessThanOrEqual(most)
  })
})
