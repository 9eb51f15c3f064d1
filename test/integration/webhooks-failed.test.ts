import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { misplaced } from '#lib/ops/check/placements.ts'
import { deliveryId, deliveryKey, failedPlacement, parseDeliveryId } from '#shared/platform/keys.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { getDelivery, insertDelivery, recordAttempt, reviveDelivery } from '#shared/webhooks/delivery-store.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { askForDeliveries, type LogPage } from '#test/support/delivery-pages.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER } from '#test/support/world.ts'

suiteWorld()
/** Ids of one length, so that items of one kind have one size. */
let serial = 10_000

const subscribe = async (): Promise<number> => {
  const id = ++serial
  await saveSubscription(aSubscription({ id, owner: OWNER, created_time: NOON - 40 * DAY }))
  return id
}

const deliveryFields = (subscription: number, time: number, lead: number): Delivery => {
  const event_id = `e${++serial}`
  return {
    delivery_id: deliveryId({ subscription, shard: lead % 4, lead, time, eventId: event_id }),
    ...{ subscription, owner: OWNER, event_id, trigger: 'LEAD_CREATED', lead, payload: '{}', status: 'pending' },
    ...{ attempts: [], earlier_attempts: 0, begun_time: null, next_attempt_time: time, created_time: time },
    expires_at: Math.floor(time / 1000) + 31 * 86_400,
  }
}

const newDelivery = async (subscription: number, time: number): Promise<Delivery> => {
  const delivery = deliveryFields(subscription, time, serial)
  await insertDelivery(delivery)
  return delivery
}

const ATTEMPT = { time: NOON, status_code: 500, duration_ms: 1, error: null, response_body: null }

const newFailure = async (subscription: number, time: number): Promise<string> => {
  const delivery = await newDelivery(subscription, time)
  expect(await recordAttempt(delivery, [ATTEMPT], { status: 'failed' })).toBe(true)
  return delivery.delivery_id
}

const follow = async (id: number, link: string): Promise<LogPage> =>
  (await askForDeliveries(id, new URL(link, 'http://localhost').search.slice(1))).body

const failed = async (id: number): Promise<string[]> => {
  const { status, body } = await askForDeliveries(id, 'status=failed')
  expect(status).toBe(200)
  return body.results.map(({ delivery_id }: { delivery_id: string }) => delivery_id)
}

const itemOf = async (id: string) => (await getItem(v.looseObject({}), deliveryKey(parseDeliveryId(id)!)))!

describe('the list of failed deliveries', () => {
  it('the list of failed deliveries has the deliveries that were given up, the newest event first, and no others', async () => {
    const id = await subscribe()
    const [old, recent] = [await newFailure(id, NOON - 3 * DAY), await newFailure(id, NOON)]
    const middle = await newFailure(id, NOON - DAY)
    await newFailure(id, NOON - 31 * DAY)
    await newFailure(await subscribe(), NOON)
    const [waiting, delivered] = [await newDelivery(id, NOON), await newDelivery(id, NOON)]
    const next_attempt_time = NOON + 5000
    expect(await recordAttempt(waiting, [ATTEMPT], { status: 'pending', next_attempt_time })).toBe(true)
    expect(await recordAttempt(delivered, [ATTEMPT], { status: 'delivered' })).toBe(true)
    expect(await failed(id)).toEqual([recent, middle, old])
    expect((await askForDeliveries(id, '')).body.count).toBe(5)
  })

  it('a failed delivery leaves the list when it is sent again, and comes back only if it fails again', async () => {
    const id = await subscribe()
    const [once, twice] = [await newFailure(id, NOON), await newFailure(id, NOON)]
    const resend = async (delivery: string) => (await reviveDelivery((await getDelivery(delivery))!, NOON))!
    const [first, second] = [await resend(once), await resend(twice)]
    expect(await failed(id)).toEqual([])
    expect(await recordAttempt(first, [ATTEMPT], { status: 'delivered' })).toBe(true)
    expect(await recordAttempt(second, [ATTEMPT], { status: 'failed' })).toBe(true)
    expect(await failed(id)).toEqual([twice])
  })

  it('the pages of failed deliveries have each of them once, forwards and backwards', async () => {
    const id = await subscribe()
    const made = await Promise.all(Array.from({ length: 23 }, (_, index) => newFailure(id, NOON - (index % 3))))
    const pages: LogPage[] = [(await askForDeliveries(id, 'status=failed&page_size=5')).body]
    for (let next = pages[0]!.next; next !== null; next = pages.at(-1)!.next) pages.push(await follow(id, next))
    expect(pages.map(({ count, results }) => [count, results.length])).toEqual([5, 5, 5, 5, 3].map((length) => [23, length]))
    const walked = pages.flatMap(({ results }) => results.map(({ delivery_id }) => delivery_id))
    expect(walked.toSorted()).toEqual(made.toSorted())
    const back: LogPage[] = [pages.at(-1)!]
    for (let previous = back[0]!.previous; previous !== null; previous = back.at(-1)!.previous) back.push(await follow(id, previous))
    expect(back.toReversed().map(({ results }) => results)).toEqual(pages.map(({ results }) => results))
  })

  it('a page of failed deliveries costs the same with 1,100 and with 3,300 of them', async () => {
    const unitsWith = async (number: number) => {
      const id = await subscribe()
      const items = Array.from({ length: number }, (_, index) => {
        const delivery: Delivery = { ...deliveryFields(id, NOON - index, 1000 + (index % 7)), status: 'failed', next_attempt_time: null }
        const parts = parseDeliveryId(delivery.delivery_id)!
        return { ...deliveryKey(parts), ...delivery, ...failedPlacement(parts, OWNER) }
      })
      await batchPut(items)
      const first = await unitsOf(async () => expect((await askForDeliveries(id, 'status=failed&page_size=20')).body.count).toBe(1000))
      const { next } = (await askForDeliveries(id, 'status=failed&page_size=20')).body
      const second = await unitsOf(async () => expect((await follow(id, next)).results).toHaveLength(20))
      return { first: first.read, second: second.read }
    }
    const [few, many] = [await unitsWith(1100), await unitsWith(3300)]
    expect({ first: Math.abs(many.first - few.first) <= 4, second: many.second }).toEqual({ first: true, second: few.second })
    expect(many.second).toBeLessThan(40)
  })

  it.each([
    ['status=delivered', 400, { status: ['"delivered" is not a valid choice. The choices are failed.'] }],
    ['status=', 400, { status: ['This field may not be blank. Leave the parameter out to list all deliveries.'] }],
    ['status=failed&page=2', 404, { detail: 'Invalid page.' }],
    ['status=failed&cursor=bm8', 404, { detail: expect.stringContaining('Invalid cursor.') }],
  ])('the list of deliveries refuses the query %p with %p', async (query, status, body) => {
    expect(await askForDeliveries(await subscribe(), query)).toMatchObject({ status, body })
  })

  it('a cursor of failed deliveries does not hold for another subscription', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    for (let count = 0; count < 2; count++) await newFailure(one, NOON)
    const { next } = (await askForDeliveries(one, 'status=failed&page_size=1')).body
    expect((await askForDeliveries(other, new URL(next).search.slice(1))).status).toBe(404)
  })

  it('the check finds a failed delivery that is not on the list, as an earlier version left it, and none that is', async () => {
    const id = await newFailure(await subscribe(), NOON)
    const { due_key, due_at, ...former } = await itemOf(id)
    expect([misplaced('delivery', { ...former, due_key, due_at }), misplaced('delivery', former)]).toEqual([
      undefined,
      { missing: { due_key, due_at } },
    ])
  })
})
