import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { DynamoDBStreamEvent } from 'aws-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { handler as publish } from '#functions/workers/publish-changes.ts'
import { type LocalStreamRecord, streamRecordOf } from '#lib/local/events/stream-records.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { changeLead, leadItem } from '#shared/leads/lead-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { readRecords } from '#test/simulation/races/history.ts'
import { NOON, sampleCall, sampleLead } from '#test/support/samples.ts'
import { suiteTable } from '#test/support/suite-world.ts'

const LEADS = 1000
const STATUSES = ['LOST', 'CANCELLED', 'CLOSED', 'BAD_NUMBER'] as const
const BATCH = 100

const bus = mockClient(EventBridgeClient)
const engine = suiteTable()
let records: LocalStreamRecord[] = []

/** Every tenth lead is called in the end: what that tells, by writes of the lead and of the call that wait for one another. */
const isCalled = (id: number): boolean => id % 10 === 0
const LATER = ['CALL_ENDED', 'LEAD_OUT_OF_TERRITORY', 'CALL_COMPLETE']

/** Each lead is made and changed by four writers at once; as many leads at a time as keep all connections busy. */
beforeAll(async () => {
  Object.assign(process.env, { EVENT_BUS_NAME: 'bus', GIVEN_UP_QUEUE_URL: 'https://queue', POWERTOOLS_LOG_LEVEL: 'SILENT' })
  const live = async (id: number) => {
    await putItem(leadItem(sampleLead({ id, position: id, status: 'NEW' })))
    await Promise.all(
      STATUSES.map((status) => changeLead(id, (lead) => ({ ...lead, status, cause: 'update', modified_time: NOON + lead.version }))),
    )
    if (!isCalled(id)) return
    const call = sampleCall({ lead: id, call_id: `${id}-1`, ended_time: NOON, completed_time: NOON })
    await putItem({ ...callKey(id, 1), ...call })
    await changeLead(id, (lead) => ({ ...lead, status: 'OUT_OF_TERRITORY', cause: 'outcome' }))
    await putItem({ ...callKey(id, 1), ...call, settled_time: NOON })
  }
  await inLanes(
    BATCH,
    Array.from({ length: LEADS }, (_, index) => index + 1),
    live,
  )
  const read = await readRecords(engine().url)
  records = read.map((record) => streamRecordOf(record, 'stream', 'arn'))
})
afterAll(() => bus.restore())

/**
 * Publishes all records in batches as Lambda does. `dies`: whether the publisher is killed at a request to the bus, given which one it is,
 * before the bus has taken anything of it or after that.
 */
const publishAll = async (dies: (request: number) => 'before' | 'after' | undefined): Promise<LeadEvent[]> => {
  const told: LeadEvent[] = []
  let request = 0
  bus.reset()
  bus.on(PutEventsCommand).callsFake(({ Entries }) => {
    const death = dies(++request)
    if (death === 'before') throw new Error('killed')
    told.push(...Entries.map(({ Detail }: { Detail: string }) => JSON.parse(Detail)))
    if (death === 'after') throw new Error('killed')
    return { FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'x' })) }
  })
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = { Records: records.slice(start, start + BATCH) } as unknown as DynamoDBStreamEvent
    for (let done = false; !done; ) {
      done = await publish(batch).then(
        () => true,
        () => false,
      )
    }
  }
  return told
}

const bySequence = (events: readonly LeadEvent[]): LeadEvent[] => events.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1))

it('events report every commit of a thousand leads that change at once, and their sequences sort in commit order', async () => {
  const events = await publishAll(() => undefined)
  const byLead = Map.groupBy(events, ({ lead_id }) => lead_id)
  expect(byLead.size).toBe(LEADS)
  for (const [id, own] of byLead) {
    const sorted = bySequence(own.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1)))
    expect(sorted.flatMap(({ lead }) => lead?.version ?? [])).toEqual(isCalled(id) ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5])
    expect(sorted.slice(5).map(({ trigger }) => trigger)).toEqual(isCalled(id) ? LATER : [])
  }
})

it.each(['before', 'after'] as const)(
  'no event is lost and no id changes when the publisher is killed within batches, %s the bus took the events',
  async (death) => {
    const whole = await publishAll(() => undefined)
    const broken = await publishAll((request) => (request % 37 === 0 ? death : undefined))
    const ids = (events: readonly LeadEvent[]) => new Map(events.map(({ published_time, ...event }) => [event.event_id, event]))
    expect(broken.length).toBeGreaterThan(whole.length)
    expect(ids(broken)).toEqual(ids(whole))
    expect(ids(whole).size).toBe(whole.length)
    // Repeated events do not change the order.
    const orderOf = (events: readonly LeadEvent[]) => bySequence([...ids(events).values()]).map(({ event_id }) => event_id)
    expect(orderOf(broken)).toEqual(orderOf(whole))
  },
)
