import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { DynamoDBStreamEvent } from 'aws-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import { handler as publish } from '#functions/workers/publish-changes/index.ts'
import { type StreamRecord, streamRecordOf } from '#lib/local/events/stream-records.ts'
import type { LeadEvent } from '#shared/schema/events.ts'
import { changeLead, leadItem } from '#shared/storage/leads.ts'
import { putItem } from '#shared/storage/table.ts'
import { readRecords } from '#test/simulation/races/history.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import { NOON, sampleLead } from '#test/support/samples.ts'

const LEADS = 1000
const STATUSES = ['LOST', 'CANCELLED', 'CLOSED', 'BAD_NUMBER'] as const
const BATCH = 100

const bus = mockClient(EventBridgeClient)
let engine: Engine
let records: StreamRecord[] = []

/** Each lead is made and changed by four writers at once; all leads at the same time. */
beforeAll(async () => {
  Object.assign(process.env, { EVENT_BUS_NAME: 'bus', GIVEN_UP_QUEUE_URL: 'https://queue', POWERTOOLS_LOG_LEVEL: 'SILENT' })
  engine = await startEngine()
  const live = async (id: number) => {
    await putItem(leadItem(sampleLead({ id, position: id, status: 'NEW' })))
    await Promise.all(
      STATUSES.map((status) => changeLead(id, (lead) => ({ ...lead, status, cause: 'update', modified_time: NOON + lead.version }))),
    )
  }
  for (let start = 1; start <= LEADS; start += BATCH) await Promise.all(Array.from({ length: BATCH }, (_, index) => live(start + index)))
  const read = await readRecords(engine.url)
  records = read.map((record) => streamRecordOf(record, 'stream', 'arn'))
}, 120_000)
afterAll(async () => {
  bus.restore()
  await engine?.stop()
})

/** Publishes all records in batches as Lambda does. `dies`: whether the bus is out of reach for a request, given how many came before. */
const publishAll = async (dies: (request: number) => boolean): Promise<LeadEvent[]> => {
  const told: LeadEvent[] = []
  let request = 0
  bus.reset()
  bus.on(PutEventsCommand).callsFake(({ Entries }) => {
    if (dies(++request)) throw new Error('killed')
    told.push(...Entries.map(({ Detail }: { Detail: string }) => JSON.parse(Detail)))
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

/** The versions that a lead's events show, when they are sorted by their sequence. */
const versionsBySequence = (events: readonly LeadEvent[]): number[] =>
  events.toSorted((a, b) => (a.sequence < b.sequence ? -1 : 1)).map(({ lead }) => lead!.version)

it('tell every commit of a thousand leads that change at once, and their sequences sort in the order of the commits', async () => {
  const events = await publishAll(() => false)
  const byLead = Map.groupBy(events, ({ lead_id }) => lead_id)
  expect(byLead.size).toBe(LEADS)
  for (const own of byLead.values()) {
    const shuffled = own.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1))
    expect(versionsBySequence(shuffled)).toEqual([1, 2, 3, 4, 5])
  }
}, 120_000)

it('lose none and change no id when the publisher is killed in the middle of batches', async () => {
  const whole = await publishAll(() => false)
  const broken = await publishAll((request) => request % 37 === 0)
  const ids = (events: readonly LeadEvent[]) => new Map(events.map((event) => [event.event_id, event]))
  expect(broken.length).toBeGreaterThan(whole.length)
  expect(ids(broken)).toEqual(ids(whole))
  expect(ids(whole).size).toBe(whole.length)
}, 120_000)
