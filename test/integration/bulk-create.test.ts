import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import { createAll } from '#functions/leads/bulk-create/create-all.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create/index.ts'
import { handler as create } from '#functions/leads/create/index.ts'
import { consumed } from '#shared/storage/capacity.ts'
import { getLead } from '#shared/storage/leads.ts'
import { getPerson } from '#shared/storage/persons.ts'
import { takePosition } from '#shared/storage/positions.ts'
import { KEY, OTHER_KEY, OWNER, request, startWorld } from '#test/support/world.ts'

const NO_LIST = { leads: ['The body must contain a `leads` list.'] }
const UNIQUE = 'non_field_errors: The fields email, phone_number, company must make a unique set.'

let world: Awaited<ReturnType<typeof startWorld>>
let next = 2000

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
afterEach(() => world.queues.take('CALL_QUEUE_URL'))

const newPhone = () => {
  next++
  return `+1${[212, 312, 415][next % 3]}5${String(next).padStart(6, '0')}`
}

const post = (body: unknown, key = KEY) =>
  request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', headers: { Authorization: `Token ${key}` }, body })

const results = async (leads: readonly unknown[], key = KEY) => {
  const { status, body } = await post({ leads }, key)
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['results'])
  return body.results
}

const postOnce = (key: string, leads: readonly unknown[]) =>
  request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', headers: { 'Idempotency-Key': key }, body: { leads } })

const single = (body: unknown) => request(create, { method: 'POST', path: '/api/leads/', body })

const unitsOf = async (run: () => Promise<unknown>): Promise<{ read: number; write: number }> => {
  const before = { ...consumed }
  await run()
  return { read: consumed.read - before.read, write: consumed.write - before.write }
}

/** While `run` runs, the table takes no transaction in which the phone stands. */
const withoutTransactionsOf = async <T>(phone: string, run: () => Promise<T>): Promise<T> => {
  const { send } = DynamoDBDocumentClient.prototype
  const guarded = function (this: DynamoDBDocumentClient, ...args: unknown[]) {
    const [command] = args
    if (command instanceof TransactWriteCommand && JSON.stringify(command.input).includes(phone)) throw new Error('Throttled.')
    return Reflect.apply(send, this, args)
  }
  Object.assign(DynamoDBDocumentClient.prototype, { send: guarded })
  try {
    return await run()
  } finally {
    Object.assign(DynamoDBDocumentClient.prototype, { send })
  }
}

describe('the list of a bulk', () => {
  it.each<[string, unknown]>([
    ['is missing', {}],
    ['is null', { leads: null }],
    ['is an object', { leads: {} }],
    ['is text', { leads: '[]' }],
    ['is the body itself', [{ phone_number: '+12125550001' }]],
    ['is not there in a number', 7],
    ['is not there in null', 'null'],
    ['is not there in nothing', ''],
  ])('%s', async (_, body) => expect(await post(body)).toMatchObject({ status: 400, body: NO_LIST }))

  it('holds a thousand at most', async () => {
    expect(await post({ leads: Array(1001).fill({}) })).toMatchObject({
      status: 400,
      body: { leads: ['Ensure this field has no more than 1000 elements.'] },
    })
    const missing = { id: null, action: 'error', error: 'phone_number: This field is required.' }
    expect(await results(Array(1000).fill({}))).toEqual(Array(1000).fill(missing))
  })

  it('may be empty', async () => expect(await results([])).toEqual([]))

  it('needs a key', async () => expect((await post({ leads: [] }, 'wrong')).status).toBe(401))
})

describe('items of a bulk', () => {
  it('are answered in their order, each by itself', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const answers = await results([
      { phone_number: phone.replace('+1', ''), external_id: 'crm-1', first_name: 'Ann' },
      'text',
      null,
      ['list'],
      7,
      { phone_number: '123', email: 'nobody', us_state: 'XX' },
      { phone_number: other, lead_type: 999_999 },
      { phone_number: other },
    ])
    const notAnObject = { id: null, action: 'error', error: 'Each lead must be a JSON object.' }
    expect(answers).toEqual([
      { id: expect.any(Number), action: 'created', phone_number: phone, external_id: 'crm-1' },
      notAnObject,
      notAnObject,
      notAnObject,
      notAnObject,
      {
        id: null,
        action: 'error',
        error:
          'phone_number: The phone number entered is not valid.; email: Enter a valid email address.; us_state: "XX" is not a valid choice.',
      },
      { id: null, action: 'error', error: 'lead_type: Invalid pk "999999" - object does not exist.' },
      { id: expect.any(Number), action: 'created', phone_number: other, external_id: null },
    ])
    expect(await getLead(answers[0].id)).toMatchObject({ owner: OWNER, metadata: { first_name: 'Ann' }, cause: 'create' })
  })

  it('with the same phone take effect one after the other', async () => {
    const phone_number = newPhone()
    const item = { phone_number, email: 'a@example.com', min_reengagement_days: 0 }
    const answers = await results([
      { ...item, status: 'CLOSED', external_id: 'first' },
      { ...item, email: 'A@example.com', external_id: 'second' },
      { ...item, external_id: 'third' },
      { ...item, email: 'b@example.com' },
      { ...item, email: null },
      { ...item, email: null },
    ])
    const [{ id }] = answers
    expect(answers).toEqual([
      { id, action: 'created', phone_number, external_id: 'first' },
      { id, action: 'reengaged', phone_number, external_id: 'second' },
      { id: null, action: 'error', error: UNIQUE },
      { id: expect.any(Number), action: 'created', phone_number, external_id: null },
      { id: expect.any(Number), action: 'created', phone_number, external_id: null },
      { id: expect.any(Number), action: 'created', phone_number, external_id: null },
    ])
    expect(await getLead(id)).toMatchObject({ external_id: 'second', email: 'A@example.com', reengagements_count: 1 })
    const ids = (await getPerson(OWNER, phone_number)).leads.map((lead) => lead.id)
    expect(ids).toEqual([id, answers[3].id, answers[4].id, answers[5].id])
  })

  it('are each their own lead in the list, without gaps', async () => {
    const before = await takePosition(2)
    const answers = await results(
      Array.from({ length: 60 }, () => ({ phone_number: newPhone() })),
      OTHER_KEY,
    )
    const leads = await Promise.all(answers.map(({ id }: { id: number }) => getLead(id)))
    const positions = leads.map((lead) => lead!.position).sort((a, b) => a - b)
    expect(positions).toEqual(Array.from({ length: 60 }, (_, index) => before + 1 + index))
    expect(await takePosition(2)).toBe(before + 61)
  })

  it('say when their call could not be sent', async () => {
    const sqs = mockClient(SQSClient)
    sqs.on(SendMessageBatchCommand).rejects(new Error('no queue'))
    const phone_number = newPhone()
    const answers = await results([{ phone_number, timezone: 'America/New_York' }, { phone_number: newPhone(), status: 'LOST' }, {}])
    sqs.restore()
    expect(answers[0]).toEqual({ id: expect.any(Number), action: 'created', phone_number, external_id: null, enqueue_error: true })
    expect(answers[1]).not.toHaveProperty('enqueue_error')
    expect(answers[2].action).toBe('error')
  })

  it('of which one meets a failing table do not fail the others', async () => {
    const [failing, phone_number] = [newPhone(), newPhone()]
    const answers = await withoutTransactionsOf(failing, () => results([{ phone_number: failing }, { phone_number }]))
    expect(answers).toEqual([
      { id: null, action: 'error', error: 'The lead could not be created. Please send it again.' },
      { id: expect.any(Number), action: 'created', phone_number, external_id: null },
    ])
    expect((await results([{ phone_number: failing }]))[0].action).toBe('created')
  })
})

describe('a bulk that is repeated after a crash', () => {
  it('finishes what the first one began, and makes no lead twice', async () => {
    const [phone_number, other] = [newPhone(), newPhone()]
    const items = [
      { phone_number, status: 'CLOSED', external_id: 'first' },
      { phone_number, min_reengagement_days: 0 },
      { phone_number: other, email: 'a@example.com' },
      { phone_number: other, email: 'a@example.com' },
      { phone_number },
      'text',
    ]
    const ids = items.map((_, index) => 900_000 + index)
    await createAll(OWNER, items.slice(0, 3), { reservedIds: ids })
    const { results: answers } = await createAll(OWNER, items, { reservedIds: ids, isRepeat: true })
    expect(answers.map(({ id, action }) => [id, action])).toEqual([
      [900_000, 'created'],
      [900_000, 'reengaged'],
      [900_002, 'created'],
      [null, 'error'],
      [900_004, 'created'],
      [null, 'error'],
    ])
    expect(await getLead(900_000)).toMatchObject({ reengagements_count: 1 })
    expect((await getPerson(OWNER, phone_number)).leads.map(({ id }) => id)).toEqual([900_000, 900_004])
    expect((await getPerson(OWNER, other)).leads.map(({ id }) => id)).toEqual([900_002])
  })

  it('has an id reserved for each of its items that may become a lead', async () => {
    const leads = [{ phone_number: newPhone() }, {}, 'text', { phone_number: newPhone() }]
    const first = await postOnce('bulk-1', leads)
    expect(first.body.results[3].id - first.body.results[0].id).toBe(1)
    expect(await postOnce('bulk-1', leads)).toMatchObject({ status: 200, body: first.body, headers: { 'Idempotent-Replayed': 'true' } })
  })
})

describe('a bulk of which some could not be finished', () => {
  const actions = ({ body }: Awaited<ReturnType<typeof postOnce>>) => body.results.map(({ action }: { action: string }) => action)

  it('does what is missing when it is repeated, and no more', async () => {
    const [failing, created, reengaged] = [newPhone(), newPhone(), newPhone()]
    const [old] = await results([{ phone_number: reengaged, status: 'CLOSED' }])
    const leads = [
      {},
      { phone_number: failing },
      { phone_number: created },
      { phone_number: created },
      { phone_number: reengaged, min_reengagement_days: 0 },
    ]
    const first = await withoutTransactionsOf(failing, () => postOnce('bulk-2', leads))
    expect(actions(first)).toEqual(['error', 'error', 'created', 'created', 'reengaged'])
    expect(first.body).not.toHaveProperty('keep')
    const second = await postOnce('bulk-2', leads)
    expect(second.headers).not.toHaveProperty('Idempotent-Replayed')
    expect(second.body.results).toEqual([
      first.body.results[0],
      { id: expect.any(Number), action: 'created', phone_number: failing, external_id: null },
      ...first.body.results.slice(2),
    ])
    expect(second.body.results[2].id - second.body.results[1].id).toBe(1)
    for (const phone of [failing, reengaged]) expect((await getPerson(OWNER, phone)).leads).toHaveLength(1)
    expect((await getPerson(OWNER, created)).leads).toHaveLength(2)
    expect(await getLead(old.id)).toMatchObject({ reengagements_count: 1 })
    const third = await postOnce('bulk-2', leads)
    expect(third).toMatchObject({ body: second.body, headers: { 'Idempotent-Replayed': 'true' } })
  })

  it('for the time was over goes on when it is repeated', async () => {
    const leads = [{ phone_number: newPhone() }]
    const now = Date.now
    let calls = 0
    Date.now = () => now() + 26_000 * calls++
    const first = await postOnce('bulk-3', leads).finally(() => {
      Date.now = now
    })
    expect(first.body.results[0].error).toBe('There was no time left for this lead. Please send it again.')
    expect(actions(await postOnce('bulk-3', leads))).toEqual(['created'])
  })

  it('is refused with another body all the same', async () => {
    const phone_number = newPhone()
    await withoutTransactionsOf(phone_number, () => postOnce('bulk-4', [{ phone_number }]))
    expect((await postOnce('bulk-4', [{ phone_number: newPhone() }])).status).toBe(422)
  })
})

describe('what a bulk costs', () => {
  it('is per lead at most a tenth more than a single create', async () => {
    const body = () => ({
      phone_number: newPhone(),
      email: `n${next}@example.com`,
      external_id: `crm-${next}`,
      timezone: 'America/New_York',
    })
    await single(body())
    const one = await unitsOf(async () => {
      for (let count = 0; count < 10; count++) expect((await single(body())).status).toBe(201)
    })
    const all = await unitsOf(() => results(Array.from({ length: 50 }, body)))
    process.stdout.write(`a lead alone: ${JSON.stringify(one)} / 10, in a bulk: ${JSON.stringify(all)} / 50\n`)
    expect(all.write / 50).toBeLessThanOrEqual((one.write / 10) * 1.1)
    expect(all.read / 50).toBeLessThanOrEqual((one.read / 10) * 1.1)
  })
})
