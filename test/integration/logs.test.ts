import { describe, expect, it } from '@jest/globals'
import type { Context, SQSEvent } from 'aws-lambda'
import { handler as createLead } from '#functions/leads/create.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { dropRecord, takeRecords } from '#shared/platform/queues/queue-records.ts'
import { send } from '#shared/platform/queues/queues.ts'
import { consumedUnits } from '#shared/platform/table/consumed-units.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { until } from '#test/support/eventually.ts'
import { whileQueueIsMissing } from '#test/support/missing-queue.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { request } from '#test/support/world.ts'

const PHONE = '+12125550101'

suiteWorld()

const lines = captureLog()
const logged = () => lines.flatMap((line) => line.split('\n').filter((text) => text !== '')).map((text) => JSON.parse(text))
const metrics = () => logged().filter((line) => '_aws' in line)
const context = { functionName: 'a-function', awsRequestId: 'a-request' } as Context

const create = (fields: unknown) => request(createLead, { method: 'POST', path: '/api/leads/', body: fields })
const place = (...bodies: unknown[]) =>
  placeCall(
    {
      Records: bodies.map((body, index) => ({ messageId: `${index}`, receiptHandle: 'gone', body: JSON.stringify(body) })),
    } as SQSEvent,
    context,
  )

describe('the log line of a request', () => {
  it('the log line of a request shows the table units that the request used', async () => {
    const before = { ...consumedUnits }
    expect((await create({ phone_number: PHONE, timezone: 'America/New_York' })).status).toBe(201)
    const line = logged().find(({ message }) => message === 'request')
    expect(line).toMatchObject({ request_id: 'request-1', user: 1, method: 'POST', route: '/api/leads/', status: 201 })
    expect(line).toMatchObject({ read_units: consumedUnits.read - before.read, write_units: consumedUnits.write - before.write })
    expect(line.write_units).toBeGreaterThan(0)
  })

  it('the log line of a request counts only the units of its own request', async () => {
    await create({ phone_number: 'x' })
    const entry = logged()[0]
    expect(entry).toMatchObject({ message: 'request', status: 400 })
    expect(entry?.['write_units']).toBe(0)
  })
})

describe('the log line of a run', () => {
  it('the log line of a run shows how many messages came and failed, and the table units used', async () => {
    const before = { ...consumedUnits }
    await place({ type: 'watch', call_id: '2000000000-1' }, { type: 'no such', phone: PHONE })
    const run = logged().at(-1)
    const failed = logged().find(({ message }) => message === 'A message failed and will return.')
    expect(failed).toMatchObject({ message_id: '1', function: 'a-function', request_id: 'a-request' })
    expect(run).toMatchObject({ message: 'run', function: 'a-function', request_id: 'a-request', records: 2, failed: 1 })
    expect(run).toMatchObject({ read_units: consumedUnits.read - before.read, write_units: 0, milliseconds: expect.any(Number) })
    expect(lines.join('')).not.toContain('2125550101')
  })

  it('the log line of a run shows why the run failed, and leaves the runtime nothing else to print', async () => {
    const table = process.env['TABLE_NAME']
    process.env['TABLE_NAME'] = 'no-such-table'
    const failure: unknown = await dispatchDue(undefined, context).catch((error: unknown) => error)
    process.env['TABLE_NAME'] = table
    expect(failure).toMatchObject({ name: 'AggregateError', message: 'Part of the sweep failed. The next sweep retries it.' })
    expect(Object.keys(failure as object)).toEqual(['name'])
    const failed = logged().find(({ message }) => message === 'The run failed.')
    expect(failed.error.errors[0]).toMatchObject({ name: 'ResourceNotFoundException' })
    expect(logged().at(-1)).toMatchObject({ message: 'run', function: 'a-function' })
  })
})

describe('the early return of a message', () => {
  const warned = () => logged().filter(({ level }) => level === 'WARN')

  it('the early return of a message that another run has deleted logs no warning', async () => {
    await send(process.env['CALL_QUEUE_URL']!, [{ body: 'any', group: '1' }])
    const [record] = await until(
      () => takeRecords(process.env['CALL_QUEUE_URL']!),
      ({ length }) => length > 0,
    )
    await dropRecord(process.env['CALL_QUEUE_URL']!, record!)
    const message = { messageId: '0', receiptHandle: record!.receiptHandle, body: '{"type":"watch","call_id":"2000000000-1"}' }
    expect(await placeCall({ Records: [message] } as SQSEvent, context)).toEqual({ batchItemFailures: [] })
    expect(warned()).toEqual([])
  })

  it('the early return of a message logs a warning when the queue does not answer', async () => {
    await whileQueueIsMissing('CALL_QUEUE_URL', () => place({ type: 'watch', call_id: '2000000000-1' }))
    expect(warned()).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^The early return of a message could not be set/) }),
    ])
  })
})

describe('a metric', () => {
  it('a metric is not written without a stage', async () => {
    await create({})
    expect(metrics()).toEqual([])
  })

  it('a metric counts failures when the function answers 500 or messages fail', async () => {
    process.env['STAGE'] = 'test'
    const table = process.env['TABLE_NAME']
    try {
      await place({ type: 'watch', call_id: '2000000000-1' }, { type: 'no such' }, { type: 'neither' })
      process.env['TABLE_NAME'] = 'no-such-table'
      expect((await create({ phone_number: PHONE })).status).toBe(500)
    } finally {
      process.env['TABLE_NAME'] = table
      delete process.env['STAGE']
    }
    const failures = metrics().filter((line) => 'failures' in line)
    expect(failures).toEqual([
      expect.objectContaining({ stage: 'test', function: 'a-function', failures: [2] }),
      expect.objectContaining({ stage: 'test', function: 'a-function', failures: [1] }),
    ])
  })

  it('metrics are written in one line per handled event', async () => {
    process.env['STAGE'] = 'test'
    try {
      await create({})
      await dispatchDue()
    } finally {
      delete process.env['STAGE']
    }
    expect(metrics()).toEqual([
      expect.objectContaining({ stage: 'test', requests_4xx: [1] }),
      expect.objectContaining({ stage: 'test', leads_overdue: [0], ids_taken: [expect.any(Number)] }),
    ])
  })
})
