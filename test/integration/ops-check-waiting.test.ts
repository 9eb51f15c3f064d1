import { beforeEach, describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { HOUR, SECOND } from '#shared/platform/values/durations.ts'
import { newDelivery } from '#shared/webhooks/deliveries.ts'
import { insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { deferToSlowLane, paced } from '#shared/webhooks/lanes.ts'
import { getSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { dueDeliveries } from '#test/support/due-deliveries.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { anEvent, aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER } from '#test/support/world.ts'

const { world, tool } = opsWorld()

beforeEach(() => setClock(NOON))

let serial = 4240

/** A fresh delivery of which the first attempt has waited for seven hours. */
const waiting = async (slow_since: number | null) => {
  const subscription = aSubscription({ id: ++serial, owner: OWNER, slow_since })
  await saveSubscription(subscription)
  const delivery = newDelivery(anEvent({ event_id: `e${serial}`, owner: OWNER, event_time: now() }), subscription, '{}', now())
  await insertDelivery(delivery)
  passTime(7 * HOUR)
  const { delivery_id } = delivery
  const message = { owner: OWNER, subscription: serial, delivery_id, fresh: true as const, waited: 600 }
  return { subscription: serial, delivery_id, message }
}

/** Five quick answers end the slow lane. */
const leaveSlowLane = async (id: number): Promise<void> => {
  const answer = { status_code: 200, duration_ms: 5, error: null, response_body: null, retryAfter: null, hopeless: false, blameless: false }
  for (let quick = 0; quick < 5; quick++) {
    await paced(
      (await getSubscription(OWNER, id))!,
      async () => answer,
      async () => {},
    )
    passTime(SECOND)
  }
  expect((await getSubscription(OWNER, id))?.slow_since).toBeNull()
}

const found = async (): Promise<string[]> => {
  const { out } = await tool().ops(['check', '--json', '--again-after', '0'])
  return JSON.parse(out).findings.map(({ kind, where }: { kind: string; where: string }) => `${kind} ${where}`)
}

describe('the check of deliveries that wait in the slow lane', () => {
  it('check finds no damage in a delivery that has waited for hours for its first attempt, and repair adds no second message', async () => {
    const { message } = await waiting(NOON)
    await deferToSlowLane(message)
    expect(await world().queues.delayed('SLOW_DELIVERY_QUEUE_URL')).toBe(1)
    expect(await found()).toEqual([])
    expect((await tool().ops(['repair', '--all', '--again-after', '0'])).code).toBe(0)
    expect(await tool().ops(['repair', 'delivery-not-due', message.delivery_id])).toMatchObject({
      out: expect.stringContaining('Nothing is wrong'),
    })
    expect(await dueDeliveries(NOON + 100 * HOUR)).toEqual([])
  })

  it('check finds a delivery that was not tried only when its destination left the slow lane six hours ago', async () => {
    const { subscription, delivery_id } = await waiting(NOON)
    await leaveSlowLane(subscription)
    passTime(5 * HOUR)
    expect(await found()).toEqual([])
    passTime(HOUR)
    expect(await found()).toEqual([`delivery-not-due ${delivery_id}`])
    await tool().ops(['repair', '--all', '--again-after', '0'])
  })

  it('check finds a delivery that was not tried for seven hours, and whose destination is quick', async () => {
    const { delivery_id } = await waiting(null)
    expect(await found()).toEqual([`delivery-not-due ${delivery_id}`])
  })
})
