import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from '@jest/globals'
import { handler } from '#functions/workers/match-webhooks.ts'
import { now } from '#shared/platform/clock.ts'
import { noteBusyAnswer } from '#shared/platform/table/busy.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { getDelivery } from '#shared/webhooks/delivery-store.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { setClock } from '#test/support/clock.ts'
import { stoppedMachineClock } from '#test/support/machine-clock.ts'
import { suiteQueues, suiteTable } from '#test/support/suite-world.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { aLead, anEvent, aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'

const QUEUE = 'DELIVERY_QUEUE_URL'
suiteTable()
const queues = suiteQueues([QUEUE, 'SLOW_DELIVERY_QUEUE_URL'])
const pass = stoppedMachineClock()

/** More than begin in the time for which each waits. */
const COUNT = 100
/** The pace of a process falls at most once a second. After so many falls, about 12 begin in the next second. */
const FALLS = 6
/** How long each write takes: long enough for a turn of the lowest pace. */
const WRITE = SECOND / 5

it('the deliveries of an event are written at a lower rate while the table is busy, and each is written and sent in the end', async () => {
  setClock(Date.now())
  const subscriptions = Array.from({ length: COUNT }, (_, index) => 42 + index)
  for (const id of subscriptions) await saveSubscription(aSubscription({ id }))
  const event = anEvent({ lead: aLead(), event_time: now(), published_time: now() })
  const ids = subscriptions.map((id) => `${id}-L1001-${event.event_time}-${event.event_id}`)
  const written = async () => (await Promise.all(ids.map(getDelivery))).flatMap((delivery) => delivery?.delivery_id ?? [])
  const sent = async (): Promise<string[]> => (await queues().take(QUEUE)).map((body) => JSON.parse(body).delivery_id)
  /** @returns whether the message of the event returns */
  const match = async (tries: number): Promise<boolean> => {
    const { Records } = batchOf([{ detail: event }])
    for (const { attributes } of Records) attributes.ApproximateReceiveCount = `${tries}`
    const passing = (command: unknown) => command instanceof PutCommand && pass(WRITE)
    return (await beforeEachSend(passing, () => handler({ Records }))).batchItemFailures.length > 0
  }

  for (let fall = 0; fall < FALLS; fall++) {
    if (fall > 0) pass(SECOND)
    noteBusyAnswer()
  }
  expect(await match(1)).toBe(true)
  const first = await written()
  expect(first.length).toBeLessThan(COUNT / 2)
  expect((await sent()).sort()).toEqual(first.sort())
  for (let tries = 2; await match(tries); ) tries++
  expect(new Set([...first, ...(await sent())])).toEqual(new Set(ids))
  expect(await written()).toHaveLength(COUNT)
})
