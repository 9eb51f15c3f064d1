import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as retrieveEntry } from '#functions/dnc/retrieve.ts'
import { handler as listLeadTypes } from '#functions/lead-types/list.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as callsOfLead } from '#functions/leads/calls.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as explain } from '#functions/leads/explain.ts'
import { handler as listLeads } from '#functions/leads/list.ts'
import { handler as retrieve } from '#functions/leads/retrieve.ts'
import { handler as listSources } from '#functions/sources/list.ts'
import { handler as me } from '#functions/users/me.ts'
import { handler as listSubscriptions } from '#functions/webhooks/list.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkUpdated } from '#test/support/bulk-updates.ts'
import { created, listed, newPhone, patch, times } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { OWNER, request } from '#test/support/world.ts'

callWorld()

const ABROAD = 40

beforeAll(async () => {
  const { saveLeadType } = await import('#shared/accounts/lead-type-store.ts')
  await saveLeadType(sampleLeadType({ owner: OWNER, id: ABROAD, international: true }))
})

const post = (body: Record<string, unknown>, headers = {}) =>
  request(create, {
    method: 'POST',
    path: '/api/leads/',
    body: { phone_number: newPhone(), timezone: 'America/New_York', us_state: 'NY', ...body },
    headers,
  })

const warningsOf = async (body: Record<string, unknown>) => {
  const answer = await post(body)
  expect(answer).toMatchObject({ status: 201 })
  return answer.headers['X-Warnings']
}

describe('the warnings of a created lead', () => {
  it('a created lead gets no warnings when nothing is surprising', async () => {
    expect(await warningsOf({ first_name: 'Ann', zip: '10001', budget: 3 })).toBeUndefined()
  })

  it.each([
    ['an invalid time zone', { timezone: 'New York', us_state: 'NY' }, 'unknown_timezone;field="metadata.timezone"'],
    ['an invalid ZIP code', { zip: '1' }, 'unknown_place;field="metadata.zip"'],
    ['a ZIP code of another state', { us_state: 'NY', zip: '94110' }, 'zip_in_other_state;field="metadata.zip";hint="CA"'],
    ['a lead whose state is not known', { us_state: undefined }, 'no_state;field="us_state"'],
    ['a lead without a place', { timezone: undefined, us_state: undefined }, 'no_place;field="us_state"'],
    ['a number that is not called', { phone_number: '+442071838750' }, 'not_called_abroad;field="phone_number"'],
    [
      'a number that needs a time zone',
      { phone_number: '+442071838751', lead_type: ABROAD, timezone: undefined },
      'timezone_required;field="metadata.timezone"',
    ],
    ['a misspelt key', { frist_name: 'Ann' }, 'similar_field;field="metadata.frist_name";hint="first_name"'],
    ['another name of a stop', { do_not_call: true }, 'similar_field;field="metadata.do_not_call";hint="call_dnc"'],
    ['a consent inside metadata', { metadata: { consent: { type: 'oral' } } }, 'similar_field;field="metadata.consent";hint="consent"'],
    ['a lead field inside metadata', { metadata: { status: 'CANCELLED' } }, 'similar_field;field="metadata.status";hint="status"'],
    ['another spelling of a key', { metadata: { 'Zip Code': '10001' } }, 'similar_field;field="metadata.Zip Code";hint="zip"'],
    [
      'a key that needs escapes',
      { metadata: { 'zip"c\u00f6de': 1, 'time"zone': 1 } },
      'similar_field;field="metadata.time\\"zone";hint="timezone"',
    ],
  ])('a created lead gets a warning of %s', async (_, body, warning) => {
    expect(await warningsOf(body)).toBe(warning)
  })

  it('a created lead gets a warning of an open lead with the same phone number, and of no closed one', async () => {
    const first = await created()
    const { phone_number } = first
    expect(await warningsOf({ phone_number })).toBe(`open_lead;field="phone_number";hint="${first.id}"`)
    const second = newPhone()
    const closed = await created({ phone_number: second })
    await patch(closed.id, { status: 'LOST' })
    expect(await warningsOf({ phone_number: second })).toBeUndefined()
  })

  it('a replayed create repeats its warnings', async () => {
    const body = { phone_number: newPhone(), emial: 'ann@example.com' }
    const headers = { 'Idempotency-Key': 'warned' }
    const [first, again] = [await post(body, headers), await post(body, headers)]
    expect(again.headers).toMatchObject({ 'Idempotent-Replayed': 'true', 'X-Warnings': first.headers['X-Warnings'] })
    expect(first.headers['X-Warnings']).toBe('similar_field;field="metadata.emial";hint="email"')
  })
})

describe('the warnings of leads created in bulk', () => {
  it('the warnings of a bulk create name the item, and are cut after twenty', async () => {
    const lead = () => ({ phone_number: newPhone(), timezone: 'America/New_York', us_state: 'NY' })
    const bulk = async (leads: unknown[]) =>
      (await request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads } })).headers['X-Warnings']
    expect(await bulk([lead(), { ...lead(), frist_name: 'Ann' }])).toBe(
      'similar_field;field="leads[1].metadata.frist_name";hint="first_name"',
    )
    const many = await bulk(Array.from({ length: 30 }, () => ({ ...lead(), frist_name: 'Ann' })))
    expect(`${many}`.split(', ')).toHaveLength(21)
    expect(many).toMatch(/, more$/)
  })
})

describe('the warnings of an update', () => {
  it('the warnings of an update say that it records no consent', async () => {
    const { id } = await created()
    const { headers } = await patch(id, { consent: { type: 'oral', time: '2026-11-20T15:30:00Z' } })
    expect(headers['X-Warnings']).toBe('similar_field;field="metadata.consent";hint="consent"')
  })

  it('the warnings of an update are about the fields that it sends', async () => {
    const { id } = await created({ frist_name: 'Ann' })
    expect((await patch(id, { external_id: 'A-1' })).headers['X-Warnings']).toBeUndefined()
    expect((await patch(id, { metadata: { timezone: 'Mars' } })).headers['X-Warnings']).toBe('unknown_timezone;field="metadata.timezone"')
  })
})

describe('an update that opens a second lead of a phone number', () => {
  it.each([['a phone number'], ['a status']])(
    'an update that opens a second lead of a phone number gets a warning when it sends %s',
    async (what) => {
      const first = await created()
      const other = await created({ status: 'LOST', ...(what === 'a status' && { phone_number: first.phone_number }) })
      const body = what === 'a status' ? { status: 'OPEN' } : { phone_number: first.phone_number, status: 'OPEN' }
      expect((await patch(other.id, body)).headers['X-Warnings']).toBe(`open_lead;field="phone_number";hint="${first.id}"`)
      expect((await patch(other.id, { external_id: 'A-9' })).headers['X-Warnings']).toBeUndefined()
    },
  )
})

describe('the warnings of leads updated in bulk', () => {
  const bulk = async (leads: unknown[]) => {
    const answer = await bulkUpdated({ leads })
    expect(answer).toMatchObject({ status: 202 })
    return answer.headers['X-Warnings']
  }

  it('the warnings of a bulk update name the item, and are about the fields that it sends', async () => {
    const { id } = await created({ frist_name: 'Ann' })
    expect(await bulk([{ id, external_id: 'A-1' }])).toBeUndefined()
    const leads = [{ id, external_id: 'A-2' }, { id: 0 }, { id, timezone: 'Mars', emial: 'ann@example.com' }]
    expect(await bulk(leads)).toBe(
      'unknown_timezone;field="leads[2].metadata.timezone", similar_field;field="leads[2].metadata.emial";hint="email"',
    )
  })

  it('the warnings of a bulk update are cut after twenty', async () => {
    const { id } = await created()
    const many = await bulk(Array.from({ length: 30 }, () => ({ id, emial: 'ann@example.com' })))
    expect(`${many}`.split(', ')).toHaveLength(21)
    expect(many).toMatch(/, more$/)
  })

  it('the warnings of a bulk update name an open lead with the phone number of a moved or reopened lead', async () => {
    const first = await created()
    const moved = await created()
    const closed = await created({ phone_number: first.phone_number, status: 'LOST' })
    const leads = [
      { id: moved.id, phone_number: first.phone_number },
      { id: closed.id, status: 'OPEN' },
    ]
    const names = (place: number) => `open_lead;field="leads[${place}].phone_number";hint="${first.id}"`
    expect(await bulk(leads)).toBe(`${names(0)}, ${names(1)}`)
    expect(await bulk([...leads.slice(1), { id: first.id, status: 'CANCELLED' }])).toBeUndefined()
  })

  it('the warnings of a bulk update name a flag that stays because the number is listed, and no other', async () => {
    const [{ id }, other] = [await created({ call_dnc: true }), await created()]
    await listed({ phone_number: other.phone_number, call_dnc: true })
    const leads = [
      { id, call_dnc: false },
      { id: other.id, call_dnc: false },
    ]
    expect(await bulk(leads)).toBe('dnc_listed;field="leads[1].call_dnc"')
  })

  it('the warnings of a bulk update read the phones of 25 opened leads at most, and none for other updates', async () => {
    const ids = (await times(60, () => created())).map(({ id }) => id)
    const readUnits = async (update: object) => (await unitsOf(() => bulk(ids.map((id) => ({ id, ...update }))))).read
    const plain = await readUnits({ lead_source: 'web' })
    // The user and its lead type are read again now and then.
    const rare = 10
    expect(await readUnits({ zip: '10001' })).toBeLessThan(plain + rare)
    expect(await readUnits({ status: 'OPEN' })).toBeLessThan(plain + 25 + rare)
  })
})

describe('the remarks of an explanation', () => {
  it('the remarks of an explanation say what may surprise the sender of the lead', async () => {
    const first = await created()
    const { id } = await created({ phone_number: first.phone_number, timezone: 'Mars', us_state: 'NY' })
    const { body } = await request(explain, { method: 'GET', path: `/api/leads/${id}/explain/`, parameters: { id: `${id}` } })
    expect(body.remarks).toEqual([
      {
        code: 'unknown_timezone',
        field: 'metadata.timezone',
        detail: '"Mars" is not a time zone. It is stored, but not used. Write it as in America/New_York.',
      },
      {
        ...{ code: 'open_lead', field: 'phone_number', hint: `${first.id}` },
        detail: `Lead ${first.id} has the same phone number and is open. The person gets the calls of both leads.`,
      },
    ])
  })
})

describe('an unknown query parameter', () => {
  it.each([
    ['leads', listLeads, '/api/leads/', ['page', 'page_size', 'phone_number', 'email', 'external_id']],
    ['lead types', listLeadTypes, '/api/lead-types/', ['page', 'page_size', 'search']],
    ['subscriptions', listSubscriptions, '/api/webhooks/', ['page', 'page_size']],
    ['sources', listSources, '/api/sources/', ['page', 'page_size']],
    ['the own user', me, '/api/users/me/', []],
    ['the do-not-contact list', retrieveEntry, '/api/dnc/', ['phone_number']],
  ])('a GET of %s warns of an unknown query parameter, and not of known ones', async (_, handler, path, known) => {
    const query = known.map((name) => `${name}=${name === 'phone_number' ? '2125550199' : '1'}`)
    const asked = async (more: string[]) => {
      const answer = await request(handler, { method: 'GET', path: `${path}?${[...query, ...more].join('&')}` })
      expect(answer.status).toBe(200)
      return answer.headers['X-Warnings']
    }
    expect(await asked([])).toBeUndefined()
    expect(await asked(['nonsense=1'])).toBe('unknown_parameter;field="nonsense"')
  })

  it('the warning of an unknown query parameter names the one that was probably meant', async () => {
    const { headers } = await request(listLeads, { method: 'GET', path: '/api/leads/?page-size=1' })
    expect(headers['X-Warnings']).toBe('unknown_parameter;field="page-size";hint="page_size"')
  })

  it('routes of one object and writes warn of unknown query parameters', async () => {
    const { id } = await created()
    const parameters = { id: `${id}` }
    for (const [handler, path] of [
      [retrieve, `/api/leads/${id}/`],
      [callsOfLead, `/api/leads/${id}/calls/`],
      [explain, `/api/leads/${id}/explain/`],
    ] as const) {
      const { headers } = await request(handler, { method: 'GET', path: `${path}?verbose=1`, parameters })
      expect(headers['X-Warnings']).toBe('unknown_parameter;field="verbose"')
    }
    const body = { phone_number: newPhone(), us_state: 'NY' }
    const { headers } = await request(create, { method: 'POST', path: '/api/leads/?dry_run=1', body })
    expect(headers['X-Warnings']).toBe('unknown_parameter;field="dry_run"')
  })
})
