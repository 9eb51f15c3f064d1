import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { DescribeStreamCommand, GetRecordsCommand, GetShardIteratorCommand } from '@aws-sdk/client-dynamodb-streams'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { dynamodbClient, streamsClient } from '#lib/local/events/start-event-sources.ts'
import { streamRecordOf } from '#lib/local/events/stream-records.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { finishCall } from '#shared/calling/finish/finish-call.ts'
import { eventsOf, StreamRecord } from '#shared/events/changes.ts'
import type { LeadEvent } from '#shared/events/event.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { callbackTimerKey, linesKey } from '#shared/platform/keys.ts'
import { client } from '#shared/platform/table/client.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { agentReport, OWNER, request } from '#test/support/world.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }
/** When the person asks to be called back. */
const PROMISED = NOON + 60 * MINUTE
const LATE = PROMISED + 15 * MINUTE

let agentAnswer: ReceiverAnswer
const { world, queued, place, keysAsked } = callWorld(() => agentAnswer)
let nextPhone = 1000

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: 5, cadence: { ...sampleLeadType().cadence, max_attempts: 1 } }))
})
beforeEach(async () => {
  agentAnswer = ACCEPT
})

const tell = (callId: string, type: string, data: unknown = {}) => request(report, agentReport(world().agentSecret, callId, type, data))
const patch = (id: number, body: Record<string, unknown>) =>
  request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body })

/** A lead that has been called once. */
const calledLead = async (body: Record<string, unknown> = {}): Promise<number> => {
  const made = await request(create, {
    method: 'POST',
    path: '/api/leads/',
    body: { phone_number: `+1212555${nextPhone++}`, timezone: 'America/New_York', ...body },
  })
  await place(await queued())
  return made.body.id
}

/** One that was promised to be called back. */
const promisedLead = async (body: Record<string, unknown> = {}): Promise<number> => {
  const id = await calledLead(body)
  await tell(`${id}-1`, 'call.completed', { outcome: 'callback_requested', callback_time: new Date(PROMISED).toISOString() })
  expect(await getLead(id)).toMatchObject({ promised_time: PROMISED, next_call_time: PROMISED })
  return id
}

/** The call that is due, at an instant. */
const dialAt = async (id: number, at: number): Promise<void> => {
  setClock(at)
  const { attempts, next_call_time } = (await getLead(id))!
  await place([{ type: 'dial', lead_id: id, attempt: attempts + 1, due_at: next_call_time }])
}

/** Handles the timer messages that the sweep sends for a lead at an instant. */
const timersAt = async (id: number, at: number): Promise<unknown[]> => {
  setClock(at)
  await dispatchDue()
  const timers = (await queued()).filter(({ type, lead_id }) => type === 'timer' && lead_id === id)
  await place([...timers, ...timers])
  return timers
}

/** Everything that the table's stream has told of a lead so far. */
const eventsOfLead = async (id: number): Promise<string[]> => {
  const [dynamodb, streams] = [dynamodbClient(world().engine.url), streamsClient(world().engine.url)]
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: process.env['TABLE_NAME'] }))
  const StreamArn = Table!.LatestStreamArn!
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }))
  const events: LeadEvent[] = []
  for (const { ShardId } of StreamDescription?.Shards ?? []) {
    let { ShardIterator } = await streams.send(new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }))
    while (ShardIterator) {
      const { Records = [], NextShardIterator } = await streams.send(new GetRecordsCommand({ ShardIterator }))
      events.push(...Records.flatMap((record) => eventsOf(v.parse(StreamRecord, streamRecordOf(record, StreamArn, StreamArn)))))
      ShardIterator = Records.length > 0 ? NextShardIterator : undefined
    }
  }
  dynamodb.destroy()
  streams.destroy()
  return events.filter(({ lead_id }) => lead_id === id).map(({ trigger }) => trigger)
}

const lateEvents = async (id: number): Promise<number> =>
  (await eventsOfLead(id)).filter((trigger) => trigger === 'LEAD_LATE_CALLBACK').length

describe('a promised callback', () => {
  it('a promised callback causes one late event when it has not started 15 minutes after its time', async () => {
    const id = await promisedLead()
    expect(await timersAt(id, LATE - 2 * MINUTE)).toEqual([])
    // Found ahead, and sent to arrive in time: earlier it says nothing.
    await place([{ type: 'timer', lead_id: id, promised_time: PROMISED }])
    expect(await lateEvents(id)).toBe(0)
    expect(await timersAt(id, LATE)).toEqual([{ type: 'timer', lead_id: id, promised_time: PROMISED }])
    expect(await lateEvents(id)).toBe(1)
    expect(await timersAt(id, LATE + 5 * MINUTE)).toEqual([])
    await place([{ type: 'timer', lead_id: id, promised_time: PROMISED }])
    expect(await lateEvents(id)).toBe(1)
    await tell(`${id}-1`, 'call.completed', { outcome: 'callback_requested', callback_time: new Date(PROMISED).toISOString() })
    expect(await timersAt(id, LATE + 10 * MINUTE)).toEqual([])
  })

  it('a promised callback causes no late event when the call started in time', async () => {
    const id = await promisedLead()
    await dialAt(id, PROMISED)
    expect(keysAsked()).toContain(`${id}-2`)
    await timersAt(id, LATE)
    expect(await timersAt(id, LATE + MINUTE)).toEqual([])
    expect(await lateEvents(id)).toBe(0)
  })

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['was cancelled', (id) => patch(id, { status: 'CANCELLED' })],
    ['has been closed', (id) => patch(id, { status: 'CLOSED' })],
    ['must not be called', (id) => patch(id, { call_dnc: true })],
  ])('a promised callback of a lead that %s causes no late event', async (_, stop) => {
    const id = await promisedLead()
    await stop(id)
    await timersAt(id, LATE)
    expect(await lateEvents(id)).toBe(0)
  })

  it.each<[string, string, Record<string, unknown>]>([
    ['paused', 'HELD', { paused: true }],
    ['waiting for a line', 'CALL', { calls: new Set(Array.from({ length: 1000 }, (_, index) => `1-${index + 1}`)) }],
  ])('a promised callback of a lead that is %s causes a late event', async (_, list, lines) => {
    const id = await promisedLead()
    const [[name, value] = ['', undefined]] = Object.entries(lines)
    const write = (expression: string, values?: Record<string, unknown>) =>
      updateItem(linesKey(OWNER), {
        UpdateExpression: expression,
        ExpressionAttributeNames: { '#name': name },
        ...(values && { ExpressionAttributeValues: values }),
      })
    await write('SET #name = :value', { ':value': value })
    await dialAt(id, PROMISED)
    expect(await getLead(id)).toMatchObject({ due_list: list, promised_time: PROMISED })
    await timersAt(id, LATE)
    expect(await lateEvents(id)).toBe(1)
    await write('REMOVE #name')
  })

  it('a promised callback outside its window is late by the promised time, not by the later call time', async () => {
    const id = await promisedLead()
    await dialAt(id, Date.parse('2026-11-21T03:00:00Z'))
    expect(await getLead(id)).toMatchObject({ next_call_time_reason: 'OUTSIDE_WINDOW', promised_time: PROMISED })
    await patch(id, { timezone: 'America/Chicago' })
    expect(await getLead(id)).toMatchObject({ next_call_time: Date.parse('2026-11-21T14:00:00Z'), promised_time: PROMISED })
    await timersAt(id, Date.parse('2026-11-21T03:01:00Z'))
    expect(await lateEvents(id)).toBe(1)
  })

  it('a promised callback stays promised when the provider refuses the call', async () => {
    const id = await promisedLead()
    agentAnswer = { status: 422 }
    await dialAt(id, PROMISED)
    expect(keysAsked()).toContain(`${id}-2`)
    expect(await getLead(id)).toMatchObject({ promised_time: PROMISED, next_call_time_reason: 'CALLBACK', attempts: 2, round_attempts: 1 })
    await timersAt(id, LATE)
    expect(await lateEvents(id)).toBe(1)
  })

  it('a promised callback gets its lost timer back when the outcome is applied again', async () => {
    const id = await calledLead()
    await patch(id, { lead_source: 'x' })
    await tell(`${id}-1`, 'call.completed', { outcome: 'callback_requested', callback_time: new Date(PROMISED).toISOString() })
    const call = (await getCall(`${id}-1`))!
    const timer = { TableName: process.env['TABLE_NAME'], Key: callbackTimerKey(id, PROMISED) }
    await client.send(new DeleteCommand(timer))
    await finishCall({ ...call, settled_time: null })
    await timersAt(id, LATE)
    expect(await lateEvents(id)).toBe(1)
  })

  it('a promised callback moves when an update changes the time zone, and is late by its new time', async () => {
    const id = await promisedLead()
    await patch(id, { timezone: 'Asia/Tokyo' })
    const { promised_time, next_call_time } = (await getLead(id))!
    expect(promised_time).toBe(next_call_time)
    expect(promised_time).toBeGreaterThan(PROMISED)
    await timersAt(id, LATE)
    expect(await lateEvents(id)).toBe(0)
    await timersAt(id, promised_time! + 15 * MINUTE)
    expect(await lateEvents(id)).toBe(1)
  })

  it('a promised callback still takes place after the last step of the cadence, and ends it', async () => {
    const id = await promisedLead({ lead_type: 5 })
    await dialAt(id, PROMISED)
    expect(keysAsked()).toContain(`${id}-2`)
    await tell(`${id}-2`, 'call.completed', { outcome: 'no_answer' })
    expect(await getLead(id)).toMatchObject({ status: 'CLOSED_INCOMPLETE', next_call_time: null, promised_time: null })
  })
})
