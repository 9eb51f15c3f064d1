import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { deleteIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { helped } from '#test/support/helped.ts'
import { ingest, newUrl } from '#test/support/ingestion.ts'
import { leadNow, newPhone } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { KEY, OTHER_KEY } from '#test/support/world.ts'

suiteWorld()

const payload = (changes: Record<string, unknown> = {}) => ({ contact: { phone: newPhone(), name: 'Ann' }, state: 'ny', ...changes })

const NOT_FOUND = { detail: 'Not found.' }
const NOT_PROVIDED = { detail: helped('Authentication credentials were not provided. …') }

describe.each(['create', 'upsert'] as const)('%s: access to an ingestion URL', (action) => {
  it.each<[string, string | null, number, unknown]>([
    ['no token', null, 401, NOT_PROVIDED],
    ['another scheme', 'Basic dXNlcjpwYXNz', 401, NOT_PROVIDED],
    ['an unknown key', 'Token wrong', 401, { detail: helped('Invalid token. …') }],
    ['the key of another user', `Token ${OTHER_KEY}`, 404, NOT_FOUND],
  ])('a request to an ingestion URL with %s is refused', async (_, authorization, status, json) => {
    const id = await newUrl()
    expect(await ingest(action, id, payload(), { authorization })).toMatchObject({ status, json })
    // Nobody is told of a body who may not send one.
    expect(await ingest(action, id, '{', { authorization })).toMatchObject({ status, json })
  })

  it.each<[string, string | null, number, unknown]>([
    ['no token', null, 404, NOT_FOUND],
    ['a wrong token', 'Token wrong', 401, { detail: helped('Invalid token. …') }],
    ['a good token', `Token ${KEY}`, 404, NOT_FOUND],
  ])('a request to an unknown ingestion URL with %s is refused', async (_, authorization, status, json) => {
    for (const id of [randomUUID(), 'demo', '1', await newUrl({ owner: 99, token_required: false })]) {
      expect(await ingest(action, id, payload(), { authorization })).toMatchObject({ status, json })
    }
  })

  it.each([null, '', 'Token wrong', 'Bearer x', `Token ${OTHER_KEY}`])(
    'an ingestion URL is open to anybody when no token is required: %j',
    async (authorization) => {
      const id = await newUrl({ token_required: false })
      expect(await ingest(action, id, payload(), { authorization })).toMatchObject({ status: 201, json: { us_state: 'NY' } })
    },
  )

  it('an ingestion URL answers 404 once it is deleted', async () => {
    const id = await newUrl({ token_required: false })
    expect(await deleteIngestionUrl(id)).toBe(true)
    expect(await ingest(action, id, payload())).toMatchObject({ status: 404, json: NOT_FOUND })
  })

  it('an ingestion URL ignores the case of its id', async () => {
    const id = await newUrl()
    expect((await ingest(action, id.toUpperCase(), payload())).status).toBe(201)
  })

  it('an ingestion URL without a token has its own throttle', async () => {
    const id = await newUrl({ token_required: false, throttle: { sustained_per_day: 2, burst_per_minute: 9 } })
    const other = await newUrl({ token_required: false })
    for (const status of [201, 400]) expect((await ingest(action, id, status === 201 ? payload() : {})).status).toBe(status)
    const { status, json, headers } = await ingest(action, id, payload())
    expect(status).toBe(429)
    expect(json).toEqual({ detail: expect.stringMatching(/^Request was throttled\. Expected available in \d+ seconds\.$/) })
    expect(headers['Retry-After']).toBe(/\d+/.exec(json.detail)?.[0])
    expect((await ingest(action, other, payload())).status).toBe(201)
  })
})

describe.each(['create', 'upsert'] as const)('%s: an ingestion URL', (action) => {
  let id = ''
  beforeAll(async () => {
    id = await newUrl()
  })

  it.each(['New York', 'new york', 'N.Y.', 'ny'])('an ingestion URL takes the name of a state for its code: %s', async (state) => {
    const answer = await ingest(action, await newUrl(), { ...payload(), state })
    expect(answer).toMatchObject({ status: 201, json: { us_state: 'NY' } })
  })

  it.each<[string, unknown, unknown]>([
    ['an empty body', '', { 'contact.phone': ['This field is required.'] }],
    ['a missing phone', { contact: { name: 'Ann' } }, { 'contact.phone': ['This field is required.'] }],
    [
      'a wrong phone and a wrong email',
      { contact: { mobile: '1', email: 'x' } },
      {
        'contact.mobile': [helped('The phone number entered is not valid. …')],
        'contact.email': [helped('Enter a valid email address. …')],
      },
    ],
    ['an unknown state', { contact: { phone: '+12125550101' }, state: 'xx' }, { state: [helped('"XX" is not a valid choice. …')] }],
    ['a malformed flag', { contact: { phone: '+12125550101' }, stop: 'now' }, { stop: [helped('Must be a valid boolean. …')] }],
    [
      'an id that is too long',
      { contact: { phone: '+12125550101' }, ref: 'x'.repeat(256) },
      { ref: ['Ensure this field has no more than 255 characters.'] },
    ],
    ['a body that is a list', [], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    ['a body that is a text', '"a"', { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] }],
    ['a body that is null', 'null', { non_field_errors: ['No data provided'] }],
    ['a body that is no JSON', '{', { detail: expect.stringContaining('JSON parse error') }],
    [
      'metadata that is too large',
      { contact: { phone: '+12125550101', name: 'x'.repeat(103_000) } },
      { 'contact.name': ['Ensure this field has no more than 102400 bytes of JSON.'] },
    ],
  ])('an ingestion URL refuses %s', async (_, body, json) => {
    expect(await ingest(action, id, body)).toMatchObject({ status: 400, json })
    // Also with what is read by nobody.
    expect((await ingest(action, id, body)).json).toEqual(json)
  })

  it('an ingestion URL refuses an unknown media type and a body that is too large', async () => {
    expect((await ingest(action, id, 'a,b', { type: 'text/csv' })).status).toBe(415)
    expect((await ingest(action, id, ' '.repeat(4_300_000))).status).toBe(413)
  })

  it('an ingestion URL refuses leads while its lead type does not exist', async () => {
    const gone = await newUrl({ lead_type: 77 })
    const message = 'The lead type of this ingestion URL does not exist. No lead can be created until the operator names another one.'
    expect(await ingest(action, gone, payload())).toMatchObject({ status: 400, json: { non_field_errors: [message] } })
  })

  it('an ingestion URL accepts leads while its lead type is switched off', async () => {
    await saveLeadType(sampleLeadType({ id: 5, active: false }))
    const answer = await ingest(action, await newUrl({ lead_type: 5 }), payload())
    expect(answer).toMatchObject({ status: 201, json: { lead_type: 5, status: 'OPEN' } })
  })
})

describe('a form', () => {
  it.each([
    ['brackets', (phone: string) => `contact%5Bphone%5D=${phone}&contact%5Bname%5D=Ann&state=ny&ref=`],
    ['dots', (phone: string) => `contact.phone=${phone}&contact.name=Ann&state=ny&contact.email=+`],
  ])('a form with %s that is sent to an ingestion URL becomes a lead', async (_, bodyOf) => {
    const phone = newPhone()
    const type = 'application/x-www-form-urlencoded'
    const { status, json } = await ingest('create', await newUrl(), bodyOf(encodeURIComponent(phone)), { type })
    expect({ status, json }).toMatchObject({ status: 201, json: { phone_number: phone, us_state: 'NY', external_id: null, email: null } })
    expect(json.metadata.first_name).toBe('Ann')
  })

  it('a form in multipart encoding that is sent to an ingestion URL becomes a lead', async () => {
    const form = new FormData()
    form.set('contact[phone]', newPhone())
    form.set('stop', 'on')
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const type = request.headers.get('content-type')!
    const answer = await ingest('create', await newUrl(), await request.text(), { type })
    expect(answer).toMatchObject({ status: 201, json: { call_dnc: true } })
    expect(await ingest('create', await newUrl(), 'x', { type: 'multipart/form-data' })).toMatchObject({ status: 400 })
  })
})

describe('a create through an ingestion URL', () => {
  it('a create through an ingestion URL makes a new lead each time, unless phone and email are taken', async () => {
    const id = await newUrl()
    const body = payload({ ref: 'r-1' })
    const [first, second] = [await ingest('create', id, body), await ingest('create', id, body)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.json.id).not.toBe(first.json.id)
    expect(await leadNow(first.json.id)).toEqual(first.json)
    expect(first.json).toMatchObject({ lead_type: 4, status_reason: 'UNKNOWN', next_call_time_reason: 'FIRST_CALL' })
    const withEmail = payload({ contact: { phone: newPhone(), email: 'ann@example.com' } })
    expect((await ingest('create', id, withEmail)).status).toBe(201)
    const unique = { non_field_errors: [helped('The fields email, phone_number, company must make a unique set. …')] }
    expect(await ingest('create', id, withEmail)).toMatchObject({ status: 400, json: unique })
  })

  it('a create through an ingestion URL keeps only the fields that the mapping names', async () => {
    const body = { ...payload(), colour: 'red', phone_number: '+12125559999', metadata: { a: 1 }, status: 'CLOSED' }
    const { json } = await ingest('create', await newUrl(), body)
    expect(json).toMatchObject({ status: 'OPEN', phone_number: body.contact.phone })
    expect(Object.keys(json.metadata).sort()).toEqual(['created_at', 'email', 'external_id', 'first_name', 'lead_source', 'phone_number'])
  })
})

describe.each(['create', 'upsert'] as const)('%s: an Idempotency-Key', (action) => {
  it.each([true, false])(
    'an Idempotency-Key applies to one ingestion URL, whether or not it requires a token: %j',
    async (token_required) => {
      const [id, other] = [await newUrl({ token_required }), await newUrl({ token_required })]
      const sending = { headers: { 'Idempotency-Key': randomUUID() }, ...(!token_required && { authorization: null }) }
      const body = payload()
      const first = await ingest(action, id, body, sending)
      const again = await ingest(action, id, body, sending)
      expect(first.status).toBe(201)
      expect(again).toMatchObject({ status: 201, json: first.json, headers: { 'Idempotent-Replayed': 'true' } })
      expect((await ingest(action, id, payload(), sending)).status).toBe(422)
      const elsewhere = await ingest(action, other, payload(), sending)
      expect(elsewhere).toMatchObject({ status: 201 })
      expect(elsewhere.headers['Idempotent-Replayed']).toBeUndefined()
    },
  )

  it('an Idempotency-Key replays a refusal of an ingestion URL', async () => {
    const [id, sending] = [await newUrl(), { headers: { 'Idempotency-Key': randomUUID() } }]
    const refused = await ingest(action, id, {}, sending)
    expect(await ingest(action, id, {}, sending)).toMatchObject({
      status: 400,
      json: refused.json,
      headers: { 'Idempotent-Replayed': 'true' },
    })
  })
})
