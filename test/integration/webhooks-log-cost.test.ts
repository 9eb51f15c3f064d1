import { describe, expect, it } from '@jest/globals'
import { deliveryId } from '#shared/platform/keys.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { insertDelivery, insertWatchedDeliveries } from '#shared/webhooks/delivery-store.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { askForDeliveries, type LogPage } from '#test/support/delivery-pages.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER } from '#test/support/world.ts'

suiteWorld()
let serial = 600

const subscribe = async () => {
  const id = ++serial
  await saveSubscription(aSubscription({ id, owner: OWNER, created_time: NOON - 40 * DAY }))
  return id
}

const aDelivery = (subscription: number, time: number, fields: Partial<Delivery> = {}): Delivery => {
  const event_id = `e${++serial}`
  return {
    delivery_id: deliveryId({ subscription, shard: serial % 4, time, eventId: event_id }),
    ...{ subscription, owner: OWNER, event_id, trigger: 'LEAD_CREATED', lead: 1001, payload: '{}', status: 'delivered' },
    ...{ attempts: [], earlier_attempts: 0, begun_time: null, next_attempt_time: null, turn: null, created_time: time },
    expires_at: Math.floor(time / 1000) + 31 * 86_400,
    ...fields,
  }
}

const pageAt = async (id: number, query: string): Promise<LogPage> => {
  const { status, body } = await askForDeliveries(id, query)
  expect(status).toBe(200)
  return body
}

/** All pages that the links lead to, from the first one on, or from the last one back. */
const follow = async (id: number, first: LogPage, link: 'next' | 'previous'): Promise<LogPage[]> => {
  const pages = [first]
  for (let to = first[link]; to !== null; to = pages.at(-1)![link]) pages.push(await pageAt(id, new URL(to).search.slice(1)))
  return pages
}

const idsOn = (pages: readonly LogPage[]): string[] => pages.flatMap(({ results }) => results.map(({ delivery_id }) => delivery_id))

const fill = async (subscription: number, times: readonly number[]): Promise<string[]> => {
  const deliveries = times.map((time) => aDelivery(subscription, time))
  await insertWatchedDeliveries(deliveries, NOON)
  return deliveries.map(({ delivery_id }) => delivery_id)
}

const readUnits = async (run: () => Promise<unknown>) => (await unitsOf(run)).read

describe('the delivery log', () => {
  it('the links of the delivery log lead to each delivery once, forwards and backwards, also to events of one instant', async () => {
    const id = await subscribe()
    const quiet = Array.from({ length: 31 }, (_, index) => NOON - index * DAY - 1)
    const made = await fill(id, [...quiet, ...Array.from({ length: 400 }, (_, index) => NOON - 5 * DAY - (index % 3))])
    const forwards = await follow(id, await pageAt(id, 'page_size=30'), 'next')
    expect(forwards.map(({ count }) => count)).toEqual(forwards.map(() => 431))
    const walked = idsOn(forwards)
    expect(walked).toHaveLength(made.length)
    expect(walked.toSorted()).toEqual(made.toSorted())
    const backwards = await follow(id, forwards.at(-1)!, 'previous')
    expect(idsOn(backwards.toReversed())).toEqual(walked)
    const numbered = await Promise.all(forwards.map((_, index) => pageAt(id, `page=${index + 1}&page_size=30`)))
    expect(idsOn(numbered)).toEqual(walked)
    const late = aDelivery(id, NOON - 9 * DAY, { created_time: NOON })
    await insertDelivery(late)
    expect(idsOn(await follow(id, await pageAt(id, 'page_size=100'), 'next'))).toContain(late.delivery_id)
  })

  it('a page of the delivery log costs about the same with 1,100 and with 4,400 deliveries, and so does the next one', async () => {
    const unitsWith = async (number: number) => {
      const id = await subscribe()
      await fill(
        id,
        Array.from({ length: number }, (_, index) => NOON - index * 10),
      )
      const first = await readUnits(async () => expect((await pageAt(id, 'page_size=20')).count).toBe(1000))
      const { next } = await pageAt(id, 'page_size=20')
      const second = await readUnits(async () => expect((await pageAt(id, new URL(next!).search.slice(1))).results).toHaveLength(20))
      const last = await readUnits(async () => expect((await pageAt(id, 'page=last&page_size=20')).results).toHaveLength(20))
      expect(await askForDeliveries(id, 'page=51&page_size=20')).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } })
      const pages = await follow(id, await pageAt(id, 'page=last&page_size=100'), 'next')
      expect(new Set(idsOn(pages)).size).toBe(number - 900)
      return [first, second, last]
    }
    const [few, many] = [await unitsWith(1100), await unitsWith(4400)]
    for (const [place, units] of many.entries()) expect(Math.abs(units - few[place]!)).toBeLessThanOrEqual(4)
    expect(Math.max(...many)).toBeLessThan(100)
  })

  it('a cursor that was not made by the service reads no days that the log does not have', async () => {
    const id = await subscribe()
    await fill(id, [NOON, NOON - DAY])
    const { next } = await pageAt(id, 'page_size=1')
    const [hash] = JSON.parse(Buffer.from(new URL(next!).searchParams.get('cursor')!, 'base64url').toString())
    const at = (direction: string, place: string) =>
      `cursor=${Buffer.from(JSON.stringify([hash, direction, place, 2])).toString('base64url')}`
    const [late, early] = [`9999-12-31T23:59:59.999Z#0#${OWNER}#0000000009`, `0001-01-01T00:00:00.000Z#0#${OWNER}#0000000009`]
    expect((await pageAt(id, at('next', late))).results).toHaveLength(2)
    expect((await pageAt(id, at('previous', early))).results).toHaveLength(2)
    expect((await pageAt(id, at('next', early))).results).toEqual([])
    expect((await pageAt(id, at('previous', late))).results).toEqual([])
    const [first, last] = ['0000000000', 'zzzzzzzzzz'].map((tie) => `2026-11-20T00:00:00.000Z#0#${OWNER}#${tie}`)
    expect((await askForDeliveries(id, at('next', first!))).status).toBe(404)
    expect((await askForDeliveries(id, at('previous', last!))).status).toBe(404)
  })

  it('the delivery log of a quiet subscription costs at most half a unit for each list of 31 days, besides its deliveries', async () => {
    const id = await subscribe()
    await fill(id, [NOON - 20 * DAY])
    expect(await readUnits(() => pageAt(id, ''))).toBeLessThan(31 * 4 * 0.5 + 5)
  })
})
