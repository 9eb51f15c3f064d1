import { describe, expect, it } from '@jest/globals'
import { leadHappenings } from '#shared/events/rules/derive.ts'
import { changeLead, getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { leadsByEmail, leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { stopContacting } from '#shared/stops/stop.ts'
import { setClock } from '#test/support/clock.ts'
import { leadNow, newPhone, times } from '#test/support/lead-requests.ts'
import { pastLeads, post, TYPES, UNIQUE } from '#test/support/past-leads.ts'
import { NOON } from '#test/support/samples.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { queued, past } = pastLeads()

describe('reengagement', () => {
  it('a closed lead that is created again is reopened with the newer data, and called', async () => {
    const phone_number = newPhone()
    const before = await past(
      { phone_number, email: 'ann@example.com', external_id: 'crm-1', lead_source: 'web', first_name: 'Ann', budget: 1 },
      { status_detail: 'warm_transfer', attempts: 2, round_attempts: 2 },
    )
    const again = { phone_number, email: 'Ann@example.com', external_id: 'crm-2', budget: 2, min_reengagement_days: 0 }
    const { status, body } = await post(again)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: before.id,
      email: 'Ann@example.com',
      status: 'OPEN',
      status_detail: null,
      status_reason: 'REENGAGEMENT',
      external_id: 'crm-2',
      lead_source: 'web',
      metadata: { first_name: 'Ann', budget: 2, external_id: 'crm-2' },
      reengagements_count: 1,
      last_reengagement_time: body.modified_time,
      next_call_time: body.modified_time,
      next_call_time_reason: 'REENGAGEMENT',
    })
    expect(body.metadata).not.toHaveProperty('min_reengagement_days')
    expect(await leadNow(before.id)).toEqual(body)
    const sent = await queued()
    expect(sent).toEqual([{ type: 'dial', lead_id: before.id, attempt: 3, due_at: Date.parse(body.next_call_time), owner: OWNER }])
    expect(await leadsByExternalId(OWNER, 'crm-1')).toEqual([])
    expect(await leadsByExternalId(OWNER, 'crm-2')).toEqual([before.id])
    expect(await leadsByEmail(OWNER, 'ann@example.com')).toContain(before.id)
    const after = (await getLead(before.id))!
    expect(leadHappenings({ before, after }).map(({ trigger, lead }) => [trigger, lead?.external_id])).toEqual([
      ['LEAD_BEFORE_REENGAGEMENT', 'crm-1'],
      ['LEAD_REENGAGEMENT', 'crm-2'],
    ])
  })

  it('a lead is reengaged only some days after its last reengagement, as its lead type or the request says', async () => {
    const body = { phone_number: newPhone(), email: 'a@example.com' }
    const { id } = await past(body)
    expect((await post(body)).body).toEqual(UNIQUE)
    setClock(NOON + 31 * DAY)
    expect((await post({ ...body, min_reengagement_days: 32 })).body).toEqual(UNIQUE)
    expect((await post(body)).status).toBe(200)
    await changeLead(id, (lead) => ({ ...lead, cause: 'update', status: 'CANCELLED' }))
    setClock(NOON + 60 * DAY + 60_000)
    expect((await post({ ...body, min_reengagement_days: 30 })).body).toEqual(UNIQUE)
    expect((await post({ ...body, min_reengagement_days: '29' })).body).toMatchObject({ id, reengagements_count: 2 })
  })

  it('a lead is not reengaged while it is open, and its email stays unique', async () => {
    const body = { phone_number: newPhone(), min_reengagement_days: 0 }
    const first = await post(body)
    expect((await post(body)).status).toBe(201)
    expect((await post({ ...body, email: 'a@example.com' })).status).toBe(201)
    expect((await post({ ...body, email: 'A@EXAMPLE.com' })).body).toEqual(UNIQUE)
    expect((await leadNow(first.body.id)).reengagements_count).toBe(0)
  })

  it('a lead is reengaged only when the lead type or the request asks for it', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.off }
    const { id } = await past(body, { created_time: 0 })
    expect((await post(body)).status).toBe(201)
    expect((await post({ ...body, min_reengagement_days: 0 })).body.id).toBe(id)
  })

  it('a lead is reengaged when it has one of the extra statuses that its lead type allows', async () => {
    const body = { phone_number: newPhone(), email: 'a@example.com', lead_type: TYPES.wide }
    const { id } = await past(body, { status: 'NEW' })
    expect((await post(body)).body).toMatchObject({ id, status: 'OPEN' })
  })

  it('a lead is not reengaged by another owner', async () => {
    const body = { phone_number: newPhone(), min_reengagement_days: 0 }
    await past(body)
    expect((await post(body, { Authorization: `Token ${OTHER_KEY}` })).status).toBe(201)
  })

  it('a reengaged lead waits for the given start time, and ignores the status in the request', async () => {
    const body = { phone_number: newPhone(), min_reengagement_days: 0 }
    await past(body)
    const again = { ...body, call_schedule_start_time: '2026-11-24T15:00:00Z', status: 'LOST' }
    expect((await post(again)).body).toMatchObject({
      status: 'OPEN',
      next_call_time: '2026-11-24T15:00:00.000000+00:00',
      next_call_time_reason: 'REENGAGEMENT',
    })
    expect(await queued()).toEqual([])
  })

  it('a lead stays as it was when its metadata, merged by a reengagement, exceeds the limit', async () => {
    const body = { phone_number: newPhone(), min_reengagement_days: 0, a: 'x'.repeat(60_000) }
    const before = await past(body)
    expect(await post({ ...body, a: undefined, b: 'y'.repeat(60_000) })).toMatchObject({
      status: 400,
      body: { metadata: ['Ensure this field has no more than 102400 bytes of JSON.'] },
    })
    expect(await getLead(before.id)).toEqual(before)
  })
})

describe('a stop', () => {
  it('a call stop prevents reengagement, and the new lead inherits it', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.zero }
    const { id } = await past(body)
    await stopContacting(OWNER, body.phone_number, await phonePk('1', body.phone_number), ['call'], { means: 'api' })
    const { status, body: other } = await post(body)
    expect(status).toBe(201)
    expect(other).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await leadNow(id)).toMatchObject({ call_dnc: true, reengagements_count: 0 })
  })

  it('a stop on the phone prevents reengagement even if the lead does not show it', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.zero, email: 'a@example.com' }
    const { id } = await past(body)
    await stopContacting(OWNER, body.phone_number, await phonePk('1', body.phone_number), ['call'], { means: 'api' })
    await changeLead(id, (lead) => ({ ...lead, cause: 'update', call_dnc: false }))
    expect((await post(body)).body).toEqual(UNIQUE)
  })

  it('a text stop stays when the lead is reengaged', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.zero }
    const { id } = await past(body)
    await stopContacting(OWNER, body.phone_number, await phonePk('1', body.phone_number), ['sms'], { means: 'api' })
    expect((await post({ ...body, sms_dnc: false })).body).toMatchObject({ id, sms_dnc: true, call_dnc: false, status: 'OPEN' })
  })

  it('a create with a stop stops the phone, and reengages nothing', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.zero }
    const other = await post({ ...body, email: 'b@example.com' })
    const { id } = await past(body)
    const { status, body: created } = await post({ ...body, call_dnc: true })
    expect(status).toBe(201)
    expect(created).toMatchObject({ status: 'OPEN', call_dnc: true, next_call_time: null })
    expect(await leadNow(id)).toMatchObject({ status: 'CLOSED', call_dnc: true })
    expect(await leadNow(other.body.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('a refused create with a stop still stops the phone', async () => {
    const body = { phone_number: newPhone(), email: 'a@example.com' }
    const lead = await post(body)
    expect((await post({ ...body, call_dnc: true, sms_dnc: true })).body).toEqual(UNIQUE)
    expect(await leadNow(lead.body.id)).toMatchObject({ call_dnc: true, sms_dnc: true, next_call_time: null })
  })
})

describe('reengagement by phone alone', () => {
  it('reengagement by phone alone gives the lead the new email and releases the old one', async () => {
    const phone_number = newPhone()
    const body = { phone_number, lead_type: TYPES.byPhone }
    const { id } = await past({ ...body, email: 'old@example.com' })
    expect((await post({ ...body, email: 'new@example.com' })).body).toMatchObject({ id, email: 'new@example.com' })
    expect((await getPerson(OWNER, phone_number)).leads).toEqual([{ id, email: 'new@example.com' }])
    expect(await leadsByEmail(OWNER, 'old@example.com')).not.toContain(id)
    expect(await leadsByEmail(OWNER, 'new@example.com')).toContain(id)
    expect((await post({ ...body, lead_type: TYPES.off, email: 'new@example.com' })).body).toEqual(UNIQUE)
    expect((await post({ ...body, lead_type: TYPES.off, email: 'old@example.com' })).status).toBe(201)
  })

  it('reengagement by phone alone never gives two leads the same email under concurrent creates', async () => {
    const body = { phone_number: newPhone(), lead_type: TYPES.byPhone }
    for (let count = 0; count < 4; count++) await past({ ...body, lead_type: TYPES.off, email: `old${count}@example.com` })
    await times(24, (index) => post({ ...body, email: `new${index % 3}@example.com` }))
    const { leads } = await getPerson(OWNER, body.phone_number)
    expect(new Set(leads.map(({ email }) => email)).size).toBe(leads.length)
    const kept = await Promise.all(leads.map(({ id }) => getLead(id)))
    expect(kept.map((lead) => lead?.email)).toEqual(leads.map(({ email }) => email))
  })
})
