import { describe, expect, it } from '@jest/globals'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { noteBusyAnswer } from '#shared/platform/table/busy.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { watchSent } from '#test/support/sent-messages.ts'

const world = deliveryWorld()
const sentDuring = watchSent()

/** More than may begin within the second for which each waits. */
const COUNT = 200

describe('webhooks while the table is busy', () => {
  it('webhooks without a turn are sent again later, as if they had not been received, and each is delivered once', async () => {
    await world.receive()
    const id = await world.subscribe()
    const deliver = async (messages: readonly unknown[]): Promise<DeliveryMessage[]> => {
      const sent = await sentDuring(async () => expect(await world.deliver(...messages)).toEqual({ batchItemFailures: [] }))
      for (const { delaySeconds } of sent) expect(delaySeconds).toBeGreaterThanOrEqual(30)
      return sent.map(({ body }) => body)
    }
    const messages = await Promise.all(Array.from({ length: COUNT }, async () => ({ ...(await world.pending(id)), fresh: true })))
    noteBusyAnswer()
    let left = await deliver(messages)
    expect(left.length).toBeGreaterThanOrEqual(COUNT / 4)
    expect(world.requests()).toHaveLength(COUNT - left.length)
    expect(await world.logOf(left[0]!)).toMatchObject({ status: 'pending', attempts: [], begun_time: null })
    while (left.length > 0) left = await deliver(left)
    expect(new Set(world.requests().map(({ headers }) => headers['webhook-id'])).size).toBe(COUNT)
    expect(world.requests()).toHaveLength(COUNT)
  })
})
