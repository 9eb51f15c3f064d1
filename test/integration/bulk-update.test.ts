import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import { handler as bulkUpdate } from '#functions/leads/bulk-update/index.ts'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as retrieve } from '#functions/leads/retrieve/index.ts'
import { handler as retrieveTask } from '#functions/tasks/retrieve/index.ts'
import { handler as applyUpdates } from '#functions/workers/apply-updates/index.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due/index.ts'
import { nextSequence } from '#shared/adapters/sequence.ts'
import { DAY, MINUTE } from '#shared/domain/durations.ts'
import { updateLead } from '#shared/operations/update-lead.ts'
import { consumed } from '#shared/storage/capacity.ts'
import { NOON } from '#test/support/samples.ts'
import { consumeAll, KEY, OTHER_KEY, OWNER, request, setClock, startWorld } from '#test/support/world.ts'

const QUEUE = 'UPDATE_QUEUE_URL'

let world: Awaited<ReturnType<typeof startWorld>>
let next = 1000

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(() => setClock(NOON))
afterEach(() => world.queues.take(QUEUE))

const newPhone = () => `+1212555${next++}`
const as = (key: string) => ({ Authorization: `Token ${key}` })

const makeLead = async (fields: object = {}, key = KEY) =>
  (await request(create, { method: 'POST', path: '/api/leads/', headers: as(key), body: { phone_number: newPhone(), ...fields } })).body

const leadNow = async (id: number, key = KEY) =>
  (await request(retrieve, { method: 'GET', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, headers: as(key) })).body

const update = (body: unknown, key = KEY) =>
  request(bulkUpdate, { method: 'PATCH', path: '/api/leads/bulk-update/', headers: as(key), body })

const updateAll = async (leads: unknown[], key = KEY) => (await update({ leads }, key)).body.results

const taskNow = (id: string, key = KEY) =>
  request(retrieveTask, { method: 'GET', path: `/api/tasks/${id}/`, parameters: { task_id: id }, headers: as(key) })

/** What the queue holds, handed to its function in an order. */
const work = async (order: (messages: string[]) => string[] = (messages) => messages) =>
  consumeAll(applyUpdates, order(await world.queues.take(QUEUE)))

const withoutQueue = async <T>(run: () => Promise<T>): Promise<T> => {
  const sqs = mockClient(SQSClient)
  sqs.on(SendMessageBatchCommand).rejects(new Error('no queue'))
  try {
    return await run()
  } finally {
    sqs.restore()
  }
}

const QUEUED = { action: 'queued', task_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
const refused = (error: string) => ({ id: null, action: 'error', error })

describe('an accepted update', () => {
  it('is queued, made later, and its task tells of it', async () => {
    const { id } = await makeLead({ metadata: { first_name: 'Ann', age: 40 } })
    const { status, body } = await update({ leads: [{ id: `${id}`, external_id: 'crm-9', age: 41, metadata: { city: 'Rome' } }] })
    expect({ status, body }).toEqual({ status: 202, body: { results: [{ id, ...QUEUED }] } })
    const [{ task_id }] = body.results
    expect((await taskNow(task_id)).body).toEqual({
      task_id,
      status: 'queued',
      error: null,
      lead: id,
      updated_time: expect.stringMatching(/^2026-11-20T16:00:\d\d\.\d{6}\+00:00$/),
    })
    expect(await leadNow(id)).toMatchObject({ external_id: null })

    expect(await work()).toEqual([])
    expect(await leadNow(id)).toMatchObject({ external_id: 'crm-9', metadata: { first_name: 'Ann', age: 41, city: 'Rome' } })
    expect((await taskNow(task_id)).body).toMatchObject({ status: 'applied', error: null, lead: id })
  })

  it('has fields of every kind come through the queue as they were sent', async () => {
    const { id } = await makeLead()
    const phone_number = newPhone()
    const sent = {
      email: 'New@Example.com',
      phone_number: phone_number.replace('+1', '1 '),
      status: 'CALLBACK_TO_TRANSFER',
      status_detail: 'live_handoff_unavailable',
      lead_type: 4,
      representative: '12',
      external_id: 7,
      us_state: 'NY',
      lead_source: 'web',
      sms_dnc: false,
      call_dnc: 'false',
    }
    const metadata = JSON.parse('{"__proto__": {"a": 1}, "constructor": null, "text": "\\u0000 \\ud800 \\ud83d\\ude00"}')
    await updateAll([{ id, ...sent, metadata }])
    await work()
    const lead = await leadNow(id)
    expect(lead).toMatchObject({ ...sent, phone_number, representative: 12, external_id: '7', call_dnc: false })
    expect(JSON.stringify(lead.metadata)).toContain(JSON.stringify(metadata).slice(1, -1))
  })

  it('that sets nothing is done at once', async () => {
    const { id } = await makeLead()
    const [{ task_id }] = await updateAll([{ id }])
    expect((await taskNow(task_id)).body.status).toBe('applied')
    expect(await world.queues.take(QUEUE)).toEqual([])
  })
})

describe('results', () => {
  it('are in the order of the items, each refused by itself and for all its fields', async () => {
    const { id } = await makeLead()
    const foreign = await makeLead({}, OTHER_KEY)
    const unknown = (pk: number) => refused(`id: Invalid pk "${pk}" - object does not exist.`)
    const cases: [unknown, object][] = [
      [
        { id, lead_source: 'a' },
        { id, ...QUEUED },
      ],
      ['text', refused('Each lead must be a JSON object.')],
      [null, refused('Each lead must be a JSON object.')],
      [[id], refused('Each lead must be a JSON object.')],
      [{ lead_source: 'a' }, refused('id: This field is required.')],
      [{ id: null }, refused('id: This field may not be null.')],
      [{ id: 'seven' }, refused('id: A valid integer is required.')],
      [{ id: true }, refused('id: A valid integer is required.')],
      [{ id: 1.5 }, refused('id: A valid integer is required.')],
      [{ id: [id] }, refused('id: A valid integer is required.')],
      [
        { id: 'x', email: 'no', status: 'GONE' },
        refused('id: A valid integer is required.; email: Enter a valid email address.; status: "GONE" is not a valid choice.'),
      ],
      [{ id, phone_number: '' }, refused('phone_number: This field may not be blank.')],
      [{ id, lead_type: 5 }, refused('lead_type: Invalid pk "5" - object does not exist.')],
      [{ id: foreign.id, lead_source: 'stolen' }, unknown(foreign.id)],
      [{ id: 2_000_000_000 }, unknown(2_000_000_000)],
      [{ id: 0 }, unknown(0)],
      [{ id: -id }, unknown(-id)],
      [
        { id, lead_source: 'b' },
        { id, ...QUEUED },
      ],
    ]
    expect(await updateAll(cases.map(([item]) => item))).toEqual(cases.map(([, result]) => result))
    await work()
    expect((await leadNow(id)).lead_source).toBe('b')
    expect((await leadNow(foreign.id, OTHER_KEY)).lead_source).toBe('')
  })

  it('need a list of at most a thousand items', async () => {
    const missing = { status: 400, body: { leads: ['The body must contain a `leads` list.'] } }
    for (const body of [{}, { leads: null }, { leads: {} }, { leads: 'all' }, '[]', '5']) expect(await update(body)).toMatchObject(missing)
    expect(await update({ leads: [] })).toMatchObject({ status: 202, body: { results: [] } })
    const { status, body } = await update({ leads: Array.from({ length: 1001 }, () => ({ id: 1 })) })
    expect({ status, fields: Object.keys(body) }).toEqual({ status: 400, fields: ['leads'] })
    expect((await update({ leads: [] }, 'nobody')).status).toBe(401)
  })
})

describe('stops', () => {
  it.each([
    [{ status: 'CANCELLED' }, { status: 'CANCELLED', next_call_time: null }],
    [
      { status: 'LOST', status_detail: 'tcpa_litigator' },
      { status: 'LOST', status_detail: 'tcpa_litigator', next_call_time: null },
    ],
    [{ call_dnc: true }, { call_dnc: true, sms_dnc: false, next_call_time: null }],
    [{ sms_dnc: 'on' }, { sms_dnc: true, call_dnc: false }],
  ])('%j are written before the answer, with no need for a queue', async (stop, shown) => {
    const { id } = await makeLead({ timezone: 'America/New_York' })
    const [result] = await withoutQueue(() => updateAll([{ id, ...stop }]))
    expect(result).toEqual({ id, ...QUEUED })
    expect(await leadNow(id)).toMatchObject({ ...shown, status_reason: 'status' in stop ? 'MANUAL' : 'UNKNOWN' })
    expect((await taskNow(result.task_id)).body).toMatchObject({ status: 'applied' })
  })

  it('leave the rest of their item to the queue', async () => {
    const { id } = await makeLead()
    const [{ task_id }] = await updateAll([{ id, status: 'CANCELLED', external_id: 'crm-1' }])
    expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', external_id: null })
    expect((await taskNow(task_id)).body.status).toBe('queued')
    await work()
    expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', external_id: 'crm-1' })
  })

  it('are not written again with the rest: what came between holds', async () => {
    const { id } = await makeLead()
    await updateAll([{ id, status: 'CANCELLED', external_id: 'crm-1' }])
    await updateLead(OWNER, id, { status: 'OPEN' }, { cause: 'MANUAL', accepted: nextSequence() })
    await work()
    expect(await leadNow(id)).toMatchObject({ status: 'OPEN', external_id: 'crm-1' })
  })

  it('of many leads with one phone all hold', async () => {
    const phone_number = newPhone()
    const leads = []
    for (let index = 0; index < 12; index++) leads.push(await makeLead({ phone_number, email: `${index}@example.com` }))
    const results = await updateAll(leads.map(({ id }) => ({ id, call_dnc: true, status: 'CANCELLED' })))
    expect(results).toEqual(leads.map(({ id }) => ({ id, ...QUEUED })))
    for (const { id } of leads) expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', call_dnc: true })
  })

  it('reach the old and the new phone when both come together', async () => {
    const { id } = await makeLead()
    const phone_number = newPhone()
    await updateAll([{ id, phone_number, call_dnc: true }])
    expect(await leadNow(id)).toMatchObject({ call_dnc: true })
    await work()
    expect(await leadNow(id)).toMatchObject({ phone_number, call_dnc: true })
    expect(await makeLead({ phone_number })).toMatchObject({ call_dnc: true })
  })
})

const ORDERS: [string, (messages: string[]) => string[]][] = [
  ['in order', (messages) => messages],
  ['backwards', (messages) => messages.toReversed()],
  ['twice each', (messages) => [...messages, ...messages]],
]

describe.each(ORDERS)('updates of one lead in one request, done %s', (_, order) => {
  it('have the result of their order in the request', async () => {
    const { id } = await makeLead()
    await updateAll([
      { id, lead_source: 'first', external_id: 'one', a: 1 },
      { id, lead_source: 'second', status: 'CANCELLED', a: 2, b: 2 },
      { id, external_id: 'three', status: 'OPEN', b: 3 },
    ])
    // One at a time, for a batch is handled all at once.
    for (const message of order(await world.queues.take(QUEUE))) await consumeAll(applyUpdates, [message])
    expect(await leadNow(id)).toMatchObject({ lead_source: 'second', external_id: 'three', status: 'OPEN', metadata: { a: 2, b: 3 } })
  })

  it('end stopped when the stop comes last', async () => {
    const { id } = await makeLead()
    await updateAll([
      { id, status: 'OPEN' },
      { id, status: 'LOST' },
    ])
    await work(order)
    expect(await leadNow(id)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('do not undo what was changed after they were accepted', async () => {
    const { id } = await makeLead()
    await updateAll([{ id, lead_source: 'queued', external_id: 'queued' }])
    await updateLead(OWNER, id, { lead_source: 'newer' }, { cause: 'MANUAL', accepted: nextSequence() })
    await work(order)
    expect(await leadNow(id)).toMatchObject({ lead_source: 'newer', external_id: 'queued' })
  })
})

describe('the worker', () => {
  it('makes many updates of one lead at the same time, and loses none', async () => {
    const { id } = await makeLead()
    await updateAll(Array.from({ length: 10 }, (_, index) => ({ id, [`key_${index}`]: index })))
    expect(await work()).toEqual([])
    const { metadata } = await leadNow(id)
    for (let index = 0; index < 10; index++) expect(metadata[`key_${index}`]).toBe(index)
  })

  it('fails for good what the lead refuses, and says why', async () => {
    const phone_number = newPhone()
    await makeLead({ phone_number, email: 'taken@example.com' })
    const { id } = await makeLead({ phone_number, email: 'free@example.com' })
    const [{ task_id }] = await updateAll([{ id, email: 'Taken@example.com' }])
    expect(await work((messages) => [...messages, ...messages])).toEqual([])
    expect((await taskNow(task_id)).body).toMatchObject({
      status: 'failed',
      error: 'non_field_errors: The fields email, phone_number, company must make a unique set.',
    })
    expect((await leadNow(id)).email).toBe('free@example.com')
  })

  it('gives back what the table could not do, and only that', async () => {
    const { id } = await makeLead()
    const [{ task_id }] = await updateAll([{ id, lead_source: 'later' }])
    const [message] = await world.queues.take(QUEUE)
    const table = process.env['TABLE_NAME']
    process.env['TABLE_NAME'] = 'no-such-table'
    expect(await consumeAll(applyUpdates, [message])).toEqual([0])
    process.env['TABLE_NAME'] = table
    expect((await taskNow(task_id)).body.status).toBe('queued')
    expect(await consumeAll(applyUpdates, ['not json', message, { task_id: 'none' }])).toEqual([0])
    expect((await taskNow(task_id)).body.status).toBe('applied')
  })
})

describe('lost messages', () => {
  it('are sent again by the sweep after a minute, at growing intervals, until the task is done', async () => {
    const { id } = await makeLead()
    const [{ task_id }] = await withoutQueue(() => updateAll([{ id, lead_source: 'late' }]))
    const sweepAt = async (instant: number) => {
      setClock(instant)
      await dispatchDue()
      const sent = await world.queues.take(QUEUE)
      return sent.map((text) => JSON.parse(text))
    }
    expect(await sweepAt(NOON + MINUTE / 2)).toEqual([])
    expect(await sweepAt(NOON + 2 * MINUTE)).toEqual([{ task_id }])
    expect(await sweepAt(NOON + 3 * MINUTE)).toEqual([])
    expect(await sweepAt(NOON + 5 * MINUTE)).toEqual([{ task_id }])
    expect(await consumeAll(applyUpdates, [{ task_id }])).toEqual([])
    expect((await leadNow(id)).lead_source).toBe('late')
    expect(await sweepAt(NOON + 3 * DAY)).toEqual([])
  })
})

describe('a task', () => {
  it('is seen by its owner only, and like one that never was by anybody else', async () => {
    const { id } = await makeLead()
    const [{ task_id }] = await updateAll([{ id, lead_source: 'x' }])
    const missing = { status: 404, body: { detail: 'Not found.' } }
    expect(await taskNow(task_id, OTHER_KEY)).toMatchObject(missing)
    for (const other of ['00000000-0000-4000-8000-000000000000', 'x', '7', '', `${task_id}0`]) {
      expect(await taskNow(other)).toMatchObject(missing)
    }
  })

  it('is kept for seven days after it was done, and as long as it is queued', async () => {
    const { id } = await makeLead()
    const [{ task_id }] = await updateAll([{ id, lead_source: 'x' }])
    setClock(NOON + 10 * DAY)
    expect((await taskNow(task_id)).body.status).toBe('queued')
    await work()
    setClock(NOON + 17 * DAY - MINUTE)
    expect((await taskNow(task_id)).body.status).toBe('applied')
    setClock(NOON + 17 * DAY + MINUTE)
    expect((await taskNow(task_id)).status).toBe(404)
  })
})

describe('a thousand items', () => {
  it('are accepted well within the time of a request, stops and all', async () => {
    const leads: { id: number }[] = []
    for (let round = 0; round < 10; round++) leads.push(...(await Promise.all(Array.from({ length: 20 }, () => makeLead()))))
    const items = Array.from({ length: 1000 }, (_, index) => ({
      id: leads[index % leads.length]!.id,
      lead_source: `source ${index}`,
      ...(index >= 800 && { status: 'CANCELLED' }),
    }))
    const [began, written] = [performance.now(), consumed.write]
    const results = await updateAll(items)
    const seconds = (performance.now() - began) / 1000
    expect(results.map(({ id }: { id: number }) => id)).toEqual(items.map(({ id }) => id))
    expect(new Set(results.map(({ task_id }: { task_id: string }) => task_id)).size).toBe(1000)
    expect(seconds).toBeLessThan(15)
    // A task and its place in the index, and for each stop the lead with its places.
    expect(consumed.write - written).toBeLessThan(1000 * 2 + 200 * 8)
    await work((messages) => messages.toReversed())
    for (const [index, { id }] of leads.entries())
      expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', lead_source: `source ${800 + index}` })
  }, 60_000)
})
