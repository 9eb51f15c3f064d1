import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { handler } from '#functions/workers/match-webhooks.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { now } from '#shared/platform/clock.ts'
import { noteBusyAnswer } from '#shared/platform/table/busy.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { getDelivery } from '#shared/webhooks/delivery-store.ts'
import { saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { setClock } from '#test/support/clock.ts'
import { suiteQueues, suiteTable } from '#test/support/suite-world.ts'
import { aLead, anEvent, aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'

const QUEUE = 'DELIVERY_QUEUE_URL'
suiteTable()
const queues = suiteQueues([QUEUE, 'SLOW_DELIVERY_QUEUE_URL'])

/** More than begin in the time for which each waits. */
const COUNT = 200
/** The pace of a process falls at most once a second. */
const FALLS = 6

const idOf = ({ event_id, event_time }: LeadEvent, subscription: number) => `${subscription}-L1001-${event_time}-${event_id}`

/** @returns the events whose messages return */
const match = async (events: readonly LeadEvent[], tries: number): Promise<LeadEvent[]> => {
  const { Records } = batchOf(events.map((detail) => ({ detail })))
  for (const { attributes } of Records) attributes.ApproximateReceiveCount = `${tries}`
  const { batchItemFailures } = await handler({ Records })
  const returned = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
  return events.filter((_, index) => returned.has(Records[index]!.messageId))
}

it('events are matched at a lower rate while the table is busy, and each delivery is written and sent in the end', async () => {
  setClock(Date.now())
  await saveSubscription(aSubscription())
  await saveSubscription(aSubscription({ id: 43 }))
  const events = Array.from({ length: COUNT / 2 }, (_, index) =>
    anEvent({ event_id: `e${index}.LEAD_CREATED`, lead: aLead(), event_time: now(), published_time: now() }),
  )
  const ids = events.flatMap((event) => [idOf(event, 42), idOf(event, 43)])
  const written = async () => (await Promise.all(ids.map(getDelivery))).flatMap((delivery) => delivery?.delivery_id ?? [])
  const sent = async (): Promise<string[]> => (await queues().take(QUEUE)).map((body) => JSON.parse(body).delivery_id)

  for (let fall = 0; fall < FALLS; fall++) {
    if (fall > 0) await sleep(1.1 * SECOND)
    noteBusyAnswer()
  }
  let left = await match(events, 1)
  expect(left.length).toBeGreaterThanOrEqual(COUNT / 8)
  const first = await written()
  expect((await sent()).sort()).toEqual(first.sort())
  for (let tries = 2; left.length > 0; tries++) left = await match(left, tries)
  expect(new Set([...first, ...(await sent())])).toEqual(new Set(ids))
  expect(await written()).toHaveLength(COUNT)
})
