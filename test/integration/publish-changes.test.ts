import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { marshall } from '@aws-sdk/util-dynamodb'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { DynamoDBStreamEvent } from 'aws-lambda'
import { mockClient } from 'aws-sdk-client-mock'
import * as v from 'valibot'
import { handler } from '#functions/workers/publish-changes.ts'
import { LeadEvent } from '#shared/events/event.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { leadItem } from '#shared/leads/lead-store.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { NOON, sampleLead } from '#test/support/samples.ts'

const bus = mockClient(EventBridgeClient)
const queue = mockClient(SQSClient)

beforeEach(() => {
  process.env['EVENT_BUS_NAME'] = 'bus'
  process.env['GIVEN_UP_QUEUE_URL'] = 'https://queue'
  queue.reset()
  queue.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] })
  bus.reset()
  bus.on(PutEventsCommand).callsFake(({ Entries }) => ({ FailedEntryCount: 0, Entries: Entries.map(() => ({ EventId: 'x' })) }))
})
afterEach(() => {
  bus.reset()
})

const record = (sequence: number, after: Partial<Lead>, before?: Partial<Lead>) => ({
  eventID: `record-${sequence}`,
  eventName: before ? 'MODIFY' : 'INSERT',
  dynamodb: {
    SequenceNumber: `${sequence}`,
    Keys: marshall({ pk: 'LEAD#7', sk: 'LEAD' }),
    NewImage: marshall(leadItem(sampleLead(after)), { removeUndefinedValues: true }),
    ...(before && { OldImage: marshall(leadItem(sampleLead(before)), { removeUndefinedValues: true }) }),
  },
})

const publish = (...records: unknown[]) => handler({ Records: records } as DynamoDBStreamEvent)

const published = () =>
  bus.commandCalls(PutEventsCommand).flatMap(({ args }) => (args[0].input.Entries ?? []).map(({ Detail }) => JSON.parse(`${Detail}`)))

describe('publish-changes', () => {
  it('publish-changes publishes events with the same ids when a record is repeated', async () => {
    const records = [record(9, {}), record(10, { status: 'LOST', cause: 'update' }, {})]
    await publish(...records)
    await publish(...records)
    const [created, lost, ...again] = published()
    expect(created).toMatchObject({ trigger: 'LEAD_CREATED', event_id: 'record-9-LEAD_CREATED', owner: 1, lead_id: 7, event_time: NOON })
    expect(lost).toMatchObject({ trigger: 'LEAD_LOST', lead: { status: 'LOST', metadata: { timezone: 'America/New_York' } } })
    expect([created, lost].map(({ group }) => group)).toEqual(['1', '1'])
    expect([created, lost].map(({ sequence }) => sequence).toSorted()).toEqual([created.sequence, lost.sequence])
    const unpublished = ({ published_time, ...event }: LeadEvent) => event
    expect(again.map(unpublished)).toEqual([created, lost].map(unpublished))
  })

  it('publish-changes tells when it published an event, because the time of the event may be much earlier', async () => {
    setClock(NOON + DAY)
    await publish(record(9, {}))
    setClock(Date.now())
    expect(published()).toMatchObject([{ event_time: NOON, published_time: NOON + DAY }])
  })

  it('publish-changes records metrics for started calls and their lateness', async () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
    process.env['STAGE'] = 'test'
    const due = { next_call_time: NOON - 1500 }
    await publish(record(1, { cause: 'dial', current_call: '7-1', next_call_time: null }, due), record(2, { status: 'LOST' }, {}))
    delete process.env['STAGE']
    const lines = write.mock.calls.map(([line]) => JSON.parse(`${line}`))
    write.mockRestore()
    expect(lines).toEqual([expect.objectContaining({ stage: 'test', calls_started: [1], call_lateness: [1500] })])
  })

  it('publish-changes publishes nothing for a minor change, a removed lead or another entity', async () => {
    const quiet = record(1, { lead_source: 'x', cause: 'update' }, {})
    const gone = { ...record(2, {}), dynamodb: { SequenceNumber: '2', Keys: marshall({ pk: 'LEAD#7', sk: 'LEAD' }) } }
    const other = { ...record(3, {}), dynamodb: { ...record(3, {}).dynamodb, Keys: marshall({ pk: 'USER#1', sk: 'USER' }) } }
    await publish(quiet, gone, other)
    expect(bus.commandCalls(PutEventsCommand)).toHaveLength(0)
  })

  it('publish-changes fails the batch when the bus refuses one of its events', async () => {
    bus.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries: [{ EventId: 'x' }, { ErrorCode: 'ThrottlingException' }] })
    await expect(publish(record(1, {}), record(2, {}))).rejects.toThrow('did not accept 1 of 2 events')
  })

  it('publish-changes sends an unreadable record to the dead letters and continues', async () => {
    const broken = record(2, {})
    broken.dynamodb.NewImage['status'] = { S: 'NO_SUCH_STATUS' }
    await publish(record(1, {}), broken, record(3, {}))
    expect(published().map(({ event_id }) => event_id)).toEqual(['record-1-LEAD_CREATED', 'record-3-LEAD_CREATED'])
    const letters = queue.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? [])
    expect(letters.map(({ MessageBody }) => JSON.parse(`${MessageBody}`))).toEqual([
      { eventID: 'record-2', sequence: '2', keys: { pk: { S: 'LEAD#7' }, sk: { S: 'LEAD' } } },
    ])
  })

  it('publish-changes fails when it cannot send a dead letter', async () => {
    queue.on(SendMessageBatchCommand).rejects(new Error('no queue'))
    await expect(publish({ ...record(1, {}), eventID: 7 })).rejects.toThrow('no queue')
  })

  it('publish-changes publishes a lead with thousands of metadata keys, without its bookkeeping fields', async () => {
    const keys = Array.from({ length: 8_000 }, (_, index) => `answer_${index}`)
    const after = {
      metadata: Object.fromEntries(keys.map((key) => [key, 1])),
      collected_times: Object.fromEntries(keys.map((key) => [key, NOON])),
      field_times: Object.fromEntries(keys.slice(0, 20).map((key) => [key, '001764000000000-000000-00000000'])),
      ingested: [{ upload: 'u', row: 1, outcome: 'created' as const }],
      former_place: '{}',
    }
    await publish(record(1, after), record(2, { ...after, status: 'LOST', cause: 'collect' }, after))
    expect(queue.commandCalls(SendMessageBatchCommand)).toHaveLength(0)
    expect(published().map(({ trigger }) => trigger)).toEqual(['LEAD_CREATED', 'LEAD_UPDATED', 'LEAD_LOST'])
    for (const event of published()) {
      expect(v.parse(LeadEvent, event).lead?.metadata).toEqual(after.metadata)
      const bookkeeping = ['collected_times', 'collected_fields', 'field_times', 'former_place', 'ingested']
      for (const key of bookkeeping) expect(event.lead).not.toHaveProperty(key)
    }
  })

  it.each(['\ufffe', '\uffff'])('publish-changes escapes %j, which queues refuse', async (text) => {
    await publish(record(1, { metadata: { text: `a${text}b` } }), { ...record(2, {}), eventID: 7, dynamodb: { Keys: { pk: { S: text } } } })
    const [
      {
        args: [put],
      },
      {
        args: [sent],
      },
    ] = [bus.commandCalls(PutEventsCommand)[0]!, queue.commandCalls(SendMessageBatchCommand)[0]!]
    for (const json of [put.input.Entries?.[0]?.Detail, sent.input.Entries?.[0]?.MessageBody]) {
      expect(json).not.toContain(text)
      expect(json).toContain(`\\uff${text === '\uffff' ? 'ff' : 'fe'}`)
    }
    expect(published()[0].lead.metadata.text).toBe(`a${text}b`)
  })

  it('publish-changes sends at most ten events or 256 KB per request', async () => {
    const large = { text: 'x'.repeat(99_000) }
    await publish(...Array.from({ length: 25 }, (_, index) => record(index, index % 2 ? { metadata: large } : {})))
    for (const { args } of bus.commandCalls(PutEventsCommand)) {
      const { Entries = [] } = args[0].input
      expect(Entries.length).toBeLessThanOrEqual(10)
      expect(Entries.reduce((sum, { Detail }) => sum + Buffer.byteLength(`${Detail}`), 0)).toBeLessThan(256 * 1024)
    }
    expect(published()).toHaveLength(25)
  })
})
