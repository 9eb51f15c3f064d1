import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { saveUser } from '#shared/accounts/user-store.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { noteBusyAnswer } from '#shared/platform/table/busy.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { withHotKey } from '#test/support/hot-key.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { aSubscription, SECRETS } from '#test/support/webhook-fixtures.ts'

const world = deliveryWorld()
const sentDuring = watchSent()

const OTHER = 8
/** A process begins so many at once. They are few, so that a slow machine does not make the receiver slow. */
const FEW = 40
/** The pace of a process falls at most once a second. After so many falls, fewer begin within the second for which each waits. */
const FALLS = 4
const BETWEEN_FALLS = 1.1 * SECOND

describe('webhooks while the table is busy', () => {
  it('webhooks without a turn are sent again later, as if they had not been received, and each is delivered once', async () => {
    await world.receive()
    const id = await world.subscribe()
    const deliver = async (messages: readonly unknown[]): Promise<DeliveryMessage[]> => {
      const sent = await sentDuring(async () => expect(await world.deliver(...messages)).toEqual({ batchItemFailures: [] }))
      for (const { delaySeconds } of sent) expect(delaySeconds).toBeGreaterThanOrEqual(30)
      return sent.map(({ body }) => body)
    }
    const messages = await Promise.all(Array.from({ length: FEW }, async () => ({ ...(await world.pending(id)), fresh: true })))
    for (let fall = 0; fall < FALLS; fall++) {
      noteBusyAnswer()
      await sleep(BETWEEN_FALLS)
    }
    let left = await deliver(messages)
    expect(left.length).toBeGreaterThanOrEqual(FEW / 4)
    expect(world.requests()).toHaveLength(FEW - left.length)
    expect(await world.logOf(left[0]!)).toMatchObject({ status: 'pending', attempts: [], begun_time: null })
    while (left.length > 0) left = await deliver(left)
    expect(new Set(world.requests().map(({ headers }) => headers['webhook-id'])).size).toBe(FEW)
    expect(world.requests()).toHaveLength(FEW)
  })
})

describe('webhooks while a key of one customer is busy', () => {
  it('webhooks of others are sent at once, although waiting deliveries keep the key of one dead destination busy', async () => {
    const { url } = await world.receive()
    await saveUser({
      ...{ id: OTHER, name: 'Other', is_staff: false, default_lead_type: null, dnc_group: 'o', lines: 10, webhook_secrets: SECRETS },
    })
    await saveSubscription(aSubscription({ id: 4000, owner: OTHER, url: `${url}/hook` }))
    const others = await Promise.all(
      Array.from({ length: FEW }, async (): Promise<DeliveryMessage> => {
        const message = await world.pending(4000, { owner: OTHER })
        return { ...message, owner: OTHER, fresh: true }
      }),
    )
    const dead = await world.subscribeDead()
    const waiting = await Promise.all(Array.from({ length: 3 }, async () => ({ ...(await world.pending(dead)), fresh: true, waited: 600 })))
    for (let fall = 0; fall < FALLS; fall++) {
      await withHotKey(`PACE#${dead}`, async () => void (await world.deliver(...waiting)))
      await sleep(BETWEEN_FALLS)
    }
    expect(await sentDuring(async () => void (await world.deliver(...others)))).toHaveLength(0)
    expect(world.requests()).toHaveLength(FEW)
  })
})
