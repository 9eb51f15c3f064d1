import { describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { takePosition } from '#shared/positions/position-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkCreated, postBulk, withoutTransactionsOf } from '#test/support/bulk-creates.ts'
import { withoutQueue } from '#test/support/bulk-updates.ts'
import { helped } from '#test/support/helped.ts'
import { newPhone } from '#test/support/lead-requests.ts'
import { unitsOf } from '#test/support/units.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const NO_LIST = { leads: ['The body must contain a `leads` list.'] }
const UNIQUE = helped('non_field_errors: The fields email, phone_number, company must make a unique set. …')

callWorld()

const single = (body: unknown) => request(create, { method: 'POST', path: '/api/leads/', body })

describe('the leads list of a bulk request', () => {
  it.each<[string, unknown]>([
    ['is missing', {}],
    ['is null', { leads: null }],
    ['is an object', { leads: {} }],
    ['is text', { leads: '[]' }],
    ['is the body itself', [{ phone_number: '+12125550001' }]],
    ['is missing because the body is a number', 7],
    ['is missing because the body is null', 'null'],
    ['is missing because the body is empty', ''],
  ])('a bulk request is refused with a 400 when its leads list %s', async (_, body) =>
    expect(await postBulk(body)).toMatchObject({ status: 400, body: NO_LIST }),
  )

  it('a bulk request holds at most a thousand leads', async () => {
    expect(await postBulk({ leads: Array(1001).fill({}) })).toMatchObject({
      status: 400,
      body: { leads: ['Ensure this field has no more than 1000 elements.'] },
    })
    const missing = { id: null, action: 'error', error: 'phone_number: This field is required.' }
    expect(await bulkCreated(Array(1000).fill({}))).toEqual(Array(1000).fill(missing))
  })

  it('a bulk request may have an empty leads list', async () => expect(await bulkCreated([])).toEqual([]))

  it('a bulk request needs a valid API key', async () => expect((await postBulk({ leads: [] }, 'wrong')).status).toBe(401))
})

describe('items of a bulk request', () => {
  it('items of a bulk request are answered in order, each with its own result', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const answers = await bulkCreated([
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
        error: helped(
          'phone_number: The phone number entered is not valid. …; email: Enter a valid email address. …; us_state: "XX" is not a valid choice. …',
        ),
      },
      { id: null, action: 'error', error: helped('lead_type: Invalid pk "999999" - object does not exist. …') },
      { id: expect.any(Number), action: 'created', phone_number: other, external_id: null },
    ])
    expect(await getLead(answers[0].id)).toMatchObject({ owner: OWNER, metadata: { first_name: 'Ann' }, cause: 'create' })
  })

  it('items of a bulk request with the same phone take effect one after the other', async () => {
    const phone_number = newPhone()
    const item = { phone_number, email: 'a@example.com', min_reengagement_days: 0 }
    const answers = await bulkCreated([
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

  it('leads created in bulk take consecutive positions in the list of leads', async () => {
    const before = await takePosition(2)
    const answers = await bulkCreated(
      Array.from({ length: 60 }, () => ({ phone_number: newPhone() })),
      OTHER_KEY,
    )
    const leads = await Promise.all(answers.map(({ id }: { id: number }) => getLead(id)))
    const positions = leads.map((lead) => lead!.position).sort((a, b) => a - b)
    expect(positions).toEqual(Array.from({ length: 60 }, (_, index) => before + 1 + index))
    expect(await takePosition(2)).toBe(before + 61)
  })

  it('items of a bulk request carry enqueue_error when their call could not be sent', async () => {
    const phone_number = newPhone()
    const leads = [{ phone_number, timezone: 'America/New_York' }, { phone_number: newPhone(), status: 'LOST' }, {}]
    const answers = await withoutQueue(() => bulkCreated(leads))
    expect(answers[0]).toEqual({ id: expect.any(Number), action: 'created', phone_number, external_id: null, enqueue_error: true })
    expect(answers[1]).not.toHaveProperty('enqueue_error')
    expect(answers[2].action).toBe('error')
  })

  it('items of a bulk request do not fail because the table fails for another item', async () => {
    const [failing, phone_number] = [newPhone(), newPhone()]
    const answers = await withoutTransactionsOf(failing, () => bulkCreated([{ phone_number: failing }, { phone_number }]))
    expect(answers).toEqual([
      { id: null, action: 'error', error: 'The lead could not be created. Please send it again.' },
      { id: expect.any(Number), action: 'created', phone_number, external_id: null },
    ])
    expect((await bulkCreated([{ phone_number: failing }]))[0].action).toBe('created')
  })
})

describe('the cost of a bulk create', () => {
  it('a bulk create costs at most a tenth more write units per lead than a single create', async () => {
    let next = 0
    const body = () => ({
      phone_number: newPhone(),
      email: `n${++next}@example.com`,
      external_id: `crm-${next}`,
      timezone: 'America/New_York',
    })
    await single(body())
    const one = await unitsOf(async () => {
      for (let count = 0; count < 10; count++) expect((await single(body())).status).toBe(201)
    })
    const all = await unitsOf(() => bulkCreated(Array.from({ length: 50 }, body)))
    process.stdout.write(`a lead alone: ${JSON.stringify(one)} / 10, in a bulk: ${JSON.stringify(all)} / 50\n`)
    expect(all.write / 50).toBeLessThanOrEqual((one.write / 10) * 1.1)
    // Settings are read again every ten seconds, which a slow machine spends on this.
    expect(all.read / 50).toBeLessThanOrEqual((one.read / 10) * 1.1 + 0.2)
  })
})
