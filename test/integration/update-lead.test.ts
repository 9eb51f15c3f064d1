import { describe, expect, it } from '@jest/globals'
import { getPerson } from '#shared/leads/person-store.ts'
import { leadsByEmail, leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { updateLead } from '#shared/leads/update-lead.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { helped } from '#test/support/helped.ts'
import { created, leadNow, newPhone, patch, patched, times, writeUnits } from '#test/support/lead-requests.ts'
import { UNIQUE } from '#test/support/past-leads.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

suiteWorld()

describe('PATCH of a lead', () => {
  it('PATCH of a lead sets every field and answers with the updated lead', async () => {
    const lead = await created({ metadata: { first_name: 'Ann', zip: '10001' } })
    const phone_number = newPhone()
    setClock(NOON + 60_000)
    const body = await patched(lead.id, {
      email: 'Ann@Example.com',
      phone_number: phone_number.replace('+1', '1 '),
      metadata: { zip: '10002', email: 'an echo' },
      status: 'CALLBACK_TO_TRANSFER',
      status_detail: 'live_handoff_unavailable',
      lead_type: '4',
      representative: '12',
      external_id: 99,
      us_state: 'NY',
      lead_source: ' web ',
      sms_dnc: 'true',
      call_dnc: false,
      budget: 5,
      id: 1,
      created_time: 'x',
      status_reason: 'CHAT',
      reengagement_count: 7,
      call_schedule_start_time: '2030-01-01T00:00:00Z',
    })
    expect(body).toEqual({
      ...lead,
      email: 'Ann@Example.com',
      phone_number,
      metadata: {
        ...lead.metadata,
        ...{ zip: '10002', budget: 5, phone_number, email: 'Ann@Example.com', lead_source: 'web', external_id: '99' },
      },
      modified_time: expect.stringMatching(/^2026-11-20T16:01:/),
      status: 'CALLBACK_TO_TRANSFER',
      status_detail: 'live_handoff_unavailable',
      status_reason: 'MANUAL',
      representative: 12,
      external_id: '99',
      us_state: 'NY',
      lead_source: 'web',
      sms_dnc: true,
    })
    expect(await leadNow(lead.id)).toEqual(body)
    expect(await leadsByEmail(OWNER, 'ann@example.com')).toContain(lead.id)
    expect(await leadsByExternalId(OWNER, '99')).toEqual([lead.id])
    await patched(lead.id, { email: null, external_id: '', representative: null, us_state: '', lead_source: '', metadata: null })
    expect(await leadNow(lead.id)).toMatchObject({ email: null, external_id: null, representative: null, us_state: null, lead_source: '' })
    expect(await leadsByExternalId(OWNER, '99')).toEqual([])
    expect(await leadsByEmail(OWNER, 'ann@example.com')).not.toContain(lead.id)
  })

  it('PATCH of a lead reports every invalid field at once, and changes nothing', async () => {
    const lead = await created()
    const long = 'x'.repeat(256)
    const answer = await patch(lead.id, {
      ...{ email: 'x', phone_number: '', metadata: [], status: 'open', status_detail: 'x', lead_type: 'x', representative: 0 },
      ...{ external_id: long, us_state: 'XX', lead_source: long, sms_dnc: 'x', call_dnc: null },
    })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body).toEqual({
      email: [helped('Enter a valid email address. …')],
      phone_number: ['This field may not be blank.'],
      metadata: ['Expected a dictionary of items but got type "list".'],
      status: [helped('"open" is not a valid choice. …')],
      status_detail: [helped('"x" is not a valid choice. …')],
      lead_type: [helped('Incorrect type. Expected pk value, received str. …')],
      representative: ['Ensure this value is greater than or equal to 1.'],
      external_id: ['Ensure this field has no more than 255 characters.'],
      us_state: [helped('"XX" is not a valid choice. …')],
      lead_source: ['Ensure this field has no more than 255 characters.'],
      sms_dnc: [helped('Must be a valid boolean. …')],
      call_dnc: ['This field may not be null.'],
    })
    expect(await leadNow(lead.id)).toEqual(lead)
  })

  it.each(['phone_number', 'status', 'lead_source', 'sms_dnc'])('PATCH of a lead refuses null for %s', async (field) => {
    const lead = await created()
    expect((await patch(lead.id, { [field]: null })).body).toEqual({ [field]: ['This field may not be null.'] })
  })

  it.each([[], 5, 'text', null])('PATCH of a lead refuses %j as its body', async (body) => {
    expect((await patch((await created()).id, JSON.stringify(body))).status).toBe(400)
  })

  it('PATCH of a lead accepts only lead types of the owner, or null', async () => {
    const lead = await created()
    for (const id of [9, '9'])
      expect((await patch(lead.id, { lead_type: id })).body).toEqual({ lead_type: [helped('Invalid pk "9" - object does not exist. …')] })
    expect(await patched(lead.id, { lead_type: null })).toMatchObject({ lead_type: null, next_call_time: null })
    expect(await patched(lead.id, { lead_type: 4 })).toMatchObject({ lead_type: 4, next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
  })

  it('PATCH of a lead refuses metadata that exceeds the limit once merged', async () => {
    const lead = await created({ metadata: { a: 'x'.repeat(60_000) } })
    const { status, body } = await patch(lead.id, { metadata: { b: 'x'.repeat(60_000) } })
    expect({ status, body }).toEqual({ status: 400, body: { metadata: ['Ensure this field has no more than 102400 bytes of JSON.'] } })
  })

  it('PATCH of a lead accepts metadata with thousands of keys, a huge key, a lone surrogate or __proto__', async () => {
    const lead = await created()
    await patched(lead.id, { metadata: Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`key${i}`, i])) })
    const other = await created()
    await patched(other.id, { metadata: { ['k'.repeat(90_000)]: 1, '\ud800': 1, '': 1 } })
    const { metadata } = await patched(other.id, '{"metadata":{"__proto__":{"a":1}}}')
    expect(JSON.stringify(metadata)).toContain('"__proto__":{"a":1}')
  })

  it('PATCH answers 404 when the caller has no such lead', async () => {
    const lead = await created()
    const foreign = await patch(lead.id, { status: 'CANCELLED' }, OTHER_KEY)
    expect(foreign.status).toBe(404)
    expect(foreign).toEqual(await patch(999_999, { status: 'CANCELLED' }, OTHER_KEY))
    expect(await patch('nonsense', {})).toMatchObject({ status: 404 })
    expect(await leadNow(lead.id)).toEqual(lead)
  })
})

describe('concurrent updates', () => {
  it('concurrent updates of a lead keep each other’s changes', async () => {
    const lead = await created()
    const fields = [
      { us_state: 'CA' },
      { lead_source: 'web' },
      { representative: 3 },
      { external_id: 'e' },
      { email: `${lead.id}@example.com` },
    ]
    const bodies = Array.from({ length: 64 }, (_, index) => fields[index] ?? { metadata: { [`k${index}`]: index } })
    const answers = await Promise.all(bodies.map((body) => patch(lead.id, body)))
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    const last = await leadNow(lead.id)
    for (const body of bodies) expect(last).toMatchObject(body)
    expect(await leadsByExternalId(OWNER, 'e')).toEqual([lead.id])
  })

  it('concurrent updates give a phone and email to only one of several leads', async () => {
    const leads = await times(8, (index) => created({ email: `race${index}@example.com` }))
    const wanted = { phone_number: newPhone(), email: 'Race@example.com' }
    const answers = await Promise.all(leads.map(({ id }) => patch(id, wanted)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect({ status, body }).toEqual({ status: 400, body: UNIQUE })
    expect((await getPerson(OWNER, wanted.phone_number)).leads).toHaveLength(1)
    expect(await leadsByEmail(OWNER, wanted.email)).toHaveLength(1)
    for (const { id } of leads) {
      const { phone_number } = await leadNow(id)
      expect((await getPerson(OWNER, phone_number)).leads).toEqual([expect.objectContaining({ id })])
    }
  })
})

describe('the phone and email of a lead', () => {
  it('the phone and email of a lead are unique as a pair whatever the email’s case, and can be reused once free', async () => {
    const one = await created({ email: 'one@unique.example' })
    const two = await created({ email: 'two@unique.example', phone_number: one.phone_number })
    expect((await patch(two.id, { email: 'ONE@unique.example' })).body).toEqual(UNIQUE)
    const three = await created({ email: 'one@unique.example' })
    expect((await patch(three.id, { phone_number: one.phone_number })).body).toEqual(UNIQUE)
    await patched(one.id, { email: 'One@unique.example' })
    await patched(one.id, { phone_number: newPhone() })
    await patched(two.id, { email: 'one@unique.example' })
    expect((await leadsByEmail(OWNER, 'one@unique.example')).toSorted()).toEqual([one.id, two.id, three.id].toSorted())
    expect((await getPerson(OWNER, two.phone_number)).leads).toEqual([{ id: two.id, email: 'one@unique.example' }])
  })

  it('a lead cannot change to a phone that already has 100 leads', async () => {
    const full = newPhone()
    await times(100, (index) => created({ phone_number: full, email: `${index}@full.example` }))
    const lead = await created()
    const { status, body } = await patch(lead.id, { phone_number: full })
    expect({ status, body }).toEqual({ status: 400, body: { phone_number: [expect.stringContaining('100 leads')] } })
    expect(await leadNow(lead.id)).toEqual(lead)
  })
})

describe('an update applied after newer ones', () => {
  it('an update applied after newer ones keeps the fields that they set, and is applied only once', async () => {
    const { id } = await created({ external_id: 'as it was' })
    const [first, second] = [nextSequence(), nextSequence()]
    const late = (body: Parameters<typeof updateLead>[2], accepted: string) => updateLead(OWNER, id, body, { cause: 'MANUAL', accepted })
    await late({ external_id: 'as it was', metadata: { a: 2 } }, second)
    await late({ external_id: 'older', status: 'LOST', metadata: { a: 1, b: 1 } }, first)
    expect(await leadNow(id)).toMatchObject({ external_id: 'as it was', status: 'LOST', metadata: { a: 2, b: 1 } })
    await patched(id, { status: 'OPEN' })
    expect(await writeUnits(() => late({ external_id: 'older', status: 'LOST', metadata: { a: 1, b: 1 } }, first))).toBe(0)
    expect(await leadNow(id)).toMatchObject({ status: 'OPEN' })
  })

  it('an update applied late does not raise a stop again after it was lifted', async () => {
    const { id } = await created()
    const how = { cause: 'MANUAL', accepted: nextSequence() } as const
    await updateLead(OWNER, id, { call_dnc: true }, how)
    await patched(id, { call_dnc: false })
    await updateLead(OWNER, id, { call_dnc: true }, how)
    expect(await leadNow(id)).toMatchObject({ call_dnc: false })
  })
})

describe('the capacity cost of an update', () => {
  it('an update costs at most two write units per KB for a field that moves no call, and two for the change index', async () => {
    const small = await created()
    passTime(SECOND)
    expect(
      await writeUnits(() => patched(small.id, { metadata: { a: 1 }, lead_source: 'x', status_detail: 'escalation' })),
    ).toBeLessThanOrEqual(2 + 2)
    const large = await created({ metadata: { a: 'x'.repeat(9_000) } })
    passTime(SECOND)
    expect(await writeUnits(() => patched(large.id, { us_state: 'NY' }))).toBeLessThanOrEqual(2 * 10 + 2)
  })

  it('an update costs at most eight write units when nothing changes, and none for an empty body', async () => {
    const lead = await created({ email: 'same@example.com', external_id: 's', metadata: { a: { b: 1 } } })
    expect(await writeUnits(() => patched(lead.id, lead))).toBeLessThanOrEqual(4)
    expect(await writeUnits(() => patched(lead.id, {}))).toBe(0)
    await patched(lead.id, { call_dnc: true, sms_dnc: true, status: 'CLOSED', status_detail: 'escalation' })
    const stopped = await leadNow(lead.id)
    expect(await writeUnits(() => patched(lead.id, stopped))).toBeLessThanOrEqual(8)
  })
})
