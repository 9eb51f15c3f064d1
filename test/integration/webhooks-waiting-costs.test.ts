import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { nextWait } from '#shared/webhooks/rules/pace.ts'
import { passTime } from '#test/support/clock.ts'
import { deliveryWorld } from '#test/support/delivering.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { unitsOf } from '#test/support/units.ts'

const WAITING = 20
/** Bytes. */
const PAYLOAD = 3_000

const world = deliveryWorld({ timeoutMs: 2_800 })

/** How often a delivery asks in its first hour, and in each that follows. */
const asksAnHour = (() => {
  let [asks, waited, time] = [1, 0, 0]
  for (;;) {
    waited = nextWait(waited, 0.5)
    time += waited
    if (time > 3_600) return { first: asks, later: 3_600 / waited }
    asks++
  }
})()

/** The average units of messages that are handled one by one. */
const unitsOfEach = async (messages: readonly DeliveryMessage[]) => {
  const { read, write } = await unitsOf(async () => {
    for (const message of messages) await world.deliver(message)
  })
  return { read: read / messages.length, write: write / messages.length }
}

beforeEach(async () => {
  await world.receive()
})

describe('a delivery that waits for a dead destination', () => {
  const waiting = async (attempts: number, fields: Partial<DeliveryMessage>): Promise<DeliveryMessage[]> => {
    const id = await world.subscribeDead()
    const made = Array.from({ length: attempts }, () => ({ time: 1, status_code: 500, duration_ms: 1, error: 'No.', response_body: null }))
    const pending = () => world.pending(id, { payload: JSON.stringify('x'.repeat(PAYLOAD)), attempts: made })
    return Promise.all(Array.from({ length: WAITING }, async () => ({ ...(await pending()), ...fields, waited: 0 })))
  }

  it('a delivery that waits for a dead destination asks for its turn ten times in the first hour, then six', () => {
    expect(asksAnHour).toEqual({ first: 10, later: 6 })
  })

  it('a delivery that waits for a dead destination costs one read unit and no write per ask while it is fresh', async () => {
    const messages = await waiting(0, { fresh: true })
    // The first one also reads the pace of the destination.
    expect(await unitsOfEach(messages)).toEqual({ read: 1 + 1 / WAITING, write: 0 })
    expect(world.requests()).toHaveLength(0)
  })

  it('the deliveries that wait for a dead destination read its pace once per process and minute, at the same time and one after another', async () => {
    const messages = await waiting(0, { fresh: true })
    let reads = 0
    const count = (command: unknown): void => {
      if (command instanceof GetCommand && `${command.input.Key?.['pk']}`.startsWith('PACE#')) reads++
    }
    await beforeEachSend(count, async () => {
      await world.deliver(...messages.slice(0, WAITING / 2))
      for (const message of messages.slice(WAITING / 2)) await world.deliver(message)
    })
    expect([reads, world.requests().length]).toEqual([1, 0])
    passTime(MINUTE)
    await world.deliver(messages[0])
    expect(world.requests()).toHaveLength(1)
  })

  it('a waiting delivery costs at most 40 read and 40 write units an hour after its first attempt', async () => {
    const messages = await waiting(1, {})
    const { read, write } = await unitsOfEach(messages)
    process.stdout.write(`an ask of a retry: ${read} read units, ${write} write units\n`)
    expect([read * asksAnHour.later <= 40, write * asksAnHour.later <= 40]).toEqual([true, true])
    expect(world.requests()).toHaveLength(0)
  })
})
