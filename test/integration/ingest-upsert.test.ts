import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as upsert } from '#functions/ingest-lead/upsert.ts'
import { handler as list } from '#functions/leads/list.ts'
import { emailPointerKey, externalIdPointerKey } from '#shared/platform/keys.ts'
import { putItem } from '#shared/platform/table/table.ts'
import { helped } from '#test/support/helped.ts'
import { ingest, newUrl } from '#test/support/ingestion.ts'
import { created, leadNow, newPhone } from '#test/support/lead-requests.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

suiteWorld()
let id = ''
beforeAll(async () => {
  id = await newUrl()
})

const countOf = async (): Promise<number> => (await request(list, { method: 'GET', path: '/api/leads/' })).body.count

describe('an upsert', () => {
  it('an upsert creates a lead, then updates it by external id, phone or email, and keeps other fields', async () => {
    const phone = newPhone()
    const first = await ingest('upsert', id, { ref: 'u-1', contact: { phone, email: 'u1@example.com', name: 'Ann' }, state: 'ny' })
    expect(first.status).toBe(201)
    for (const [sent, shown] of [
      [{ ref: 'u-1', state: 'tx' }, { us_state: 'TX' }],
      [{ contact: { phone, name: 'Bea' } }, { metadata: { first_name: 'Bea' } }],
      [{ contact: { email: 'U1@example.com' }, ref: 'u-2' }, { external_id: 'u-2' }],
    ] as const) {
      const answer = await ingest('upsert', id, sent)
      expect(answer).toMatchObject({ status: 200, json: { id: first.json.id, phone_number: phone, ...shown } })
    }
    expect(await leadNow(first.json.id)).toMatchObject({ us_state: 'TX', external_id: 'u-2', metadata: { first_name: 'Bea' } })
  })

  it('an upsert leaves the lead as it is when nothing changes', async () => {
    const body = { ref: 'same', contact: { phone: newPhone(), email: 'same@example.com', name: 'Ann' }, state: 'ny' }
    const { json } = await ingest('upsert', id, body)
    expect(await ingest('upsert', id, body)).toMatchObject({ status: 200, json })
    expect(await leadNow(json.id)).toEqual(json)
  })

  it('an upsert ignores a stale pointer to a lead with another value', async () => {
    const lead = await created({ external_id: 'moved', email: 'moved@example.com' })
    await putItem({ ...externalIdPointerKey(OWNER, 'stale', lead.id) })
    await putItem({ ...emailPointerKey(OWNER, 'stale@example.com', lead.id) })
    const { status, json } = await ingest('upsert', id, { ref: 'stale', contact: { phone: newPhone(), email: 'stale@example.com' } })
    expect({ status, json }).toMatchObject({ status: 201, json: { external_id: 'stale', email: 'stale@example.com' } })
    expect(json.id).not.toBe(lead.id)
    expect(await leadNow(lead.id)).toMatchObject({ external_id: 'moved', email: 'moved@example.com' })
  })

  it('an upsert raises a stop and never clears one', async () => {
    const phone = newPhone()
    for (const [stop, call_dnc] of [
      ['no', false],
      ['yes', true],
      ['no', true],
    ] as const) {
      expect((await ingest('upsert', id, { contact: { phone }, stop })).json).toMatchObject({ call_dnc })
    }
  })

  it('an upsert keeps the lead type of an existing lead, and never reengages it', async () => {
    const lead = await created({ status: 'LOST', min_reengagement_days: 0 })
    const url = await newUrl({ lead_type: 77 })
    const { status, json } = await ingest('upsert', url, { contact: { phone: lead.phone_number, name: 'Bea' } })
    expect({ status, json }).toMatchObject({ status: 200, json: { id: lead.id, status: 'LOST', lead_type: 4, reengagements_count: 0 } })
  })

  it('an upsert finds no lead of another user', async () => {
    const lead = await created({ external_id: 'theirs', email: 'theirs@example.com' }, OTHER_KEY)
    const body = { ref: 'theirs', contact: { phone: lead.phone_number, email: lead.email } }
    const { status, json } = await ingest('upsert', id, body)
    expect(status).toBe(201)
    expect(json.id).not.toBe(lead.id)
  })

  it('an upsert is refused for a missing phone, by the provider’s field name, and for a phone that is taken', async () => {
    expect(await ingest('upsert', id, { ref: 'nobody' })).toMatchObject({
      status: 400,
      json: { 'contact.phone': [helped('This field is required. …')] },
    })
    const [one, two] = [await created({ email: 'clash@example.com' }), await created({ email: 'clash@example.com', external_id: 'clash' })]
    const unique = { non_field_errors: [helped('The fields email, phone_number, company must make a unique set. …')] }
    expect(await ingest('upsert', id, { ref: 'clash', contact: { phone: one.phone_number } })).toMatchObject({ status: 400, json: unique })
    expect(await leadNow(two.id)).toMatchObject({ phone_number: two.phone_number })
  })
})

/** Requests about one lead, with different parts of its values. */
const shapes = (lead: number) => {
  const [ref, phone, email] = [`many-${lead}`, `+1303556${`${lead}`.padStart(4, '0')}`, `many-${lead}@example.com`]
  return [{ ref, contact: { phone, email } }, { ref, contact: { phone } }, { contact: { phone, email } }, { contact: { phone } }]
}

/** As many of them in one process take longer than a single function may. */
const upsertInTime = (body: unknown) =>
  request(upsert, { method: 'POST', path: `/api/ingest-lead/${id}/upsert/`, parameters: { id }, body })

it('a thousand concurrent upserts for a hundred leads create a hundred leads', async () => {
  const before = await countOf()
  const requests = Array.from({ length: 1000 }, (_, index) => ({ lead: (index * 37) % 100, shape: Math.floor(index / 100) % 4 }))
  const answers = await Promise.all(requests.map(({ lead, shape }) => upsertInTime(shapes(lead)[shape])))
  const statuses = Map.groupBy(answers, ({ status }) => status)
  expect({ created: statuses.get(201)?.length, found: statuses.get(200)?.length }).toEqual({ created: 100, found: 900 })
  expect((await countOf()) - before).toBe(100)
  for (const lead of Array.from({ length: 100 }).keys()) {
    const ids = new Set(answers.filter((_, index) => requests[index]?.lead === lead).map(({ body }) => body.id))
    expect(ids.size).toBe(1)
    const [full] = shapes(lead)
    const { ref, contact } = full!
    expect(await leadNow([...ids][0])).toMatchObject({ external_id: ref, email: contact.email, phone_number: contact.phone })
  }
})
