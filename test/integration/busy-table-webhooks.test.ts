import { describe, expect, it } from '@jest/globals'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { noteBusyAnswer } from '#shared/platform/table/busy.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { stoppedMachineClock } from '#test/support/machine-clock.ts'
import { watchSent } from '#test/support/sent-messages.ts'

const world = deliveryWorld()
const sentDuring = watchSent()
const pass = stoppedMachineClock()

/** A process begins so many at once, unless its pace has fallen. */
const FEW = 40
/** The pace of a process falls at most once a second. After so many falls, fewer begin within the second for which each waits. */
const FALLS = 4
/** How long each webhook takes: long enough for a turn of the lowest pace. */
const WEBHOOK = SECOND / 15

describe('webhooks while the table is busy', () => {
  it('webhooks without a turn are sent again later, as if they had not been received, and each is delivered once', async () => {
    await world.receive(() => {
      pass(WEBHOOK)
      return {}
    })
    const id = await world.subscribe()
    const deliver = async (messages: readonly unknown[]): Promise<DeliveryMessage[]> => {
      const sent = await sentDuring(async () => expect(await world.deliver(...messages)).toEqual({ batchItemFailures: [] }))
      for (const { delaySeconds } of sent) expect(delaySeconds).toBeGreaterThanOrEqual(30)
      return sent.map(({ body }) => body)
    }
    const messages = await Promise.all(Array.from({ length: FEW }, async () => ({ ...(await world.pending(id)), fresh: true })))
    for (let fall = 0; fall < FALLS; fall++) {
      noteBusyAnswer()
      pass(SECOND)
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
