import { describe, expect, it } from '@jest/globals'
import { updateLead } from '#shared/leads/update-lead.ts'
import { nextSequence } from '#shared/platform/sequence.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkUpdated, bulkUpdates, taskNow, withoutQueue } from '#test/support/bulk-updates.ts'
import { helped } from '#test/support/helped.ts'
import { created, leadNow, newPhone } from '#test/support/lead-requests.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { world } = callWorld()
const { queued, accepted, work } = bulkUpdates(world)

const QUEUED = { action: 'queued', task_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
const refused = (error: unknown) => ({ id: null, action: 'error', error })

describe('an accepted update', () => {
  it('a bulk update is queued and applied later, as its task shows', async () => {
    const { id } = await created({ metadata: { first_name: 'Ann', age: 40 } })
    const { status, body } = await bulkUpdated({ leads: [{ id: `${id}`, external_id: 'crm-9', age: 41, metadata: { city: 'Rome' } }] })
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

    await work()
    expect(await leadNow(id)).toMatchObject({ external_id: 'crm-9', metadata: { first_name: 'Ann', age: 41, city: 'Rome' } })
    expect((await taskNow(task_id)).body).toMatchObject({ status: 'applied', error: null, lead: id })
  })

  it('a bulk update keeps every kind of field unchanged through the queue', async () => {
    const { id } = await created()
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
    await accepted([{ id, ...sent, metadata }])
    await work()
    const lead = await leadNow(id)
    expect(lead).toMatchObject({ ...sent, phone_number, representative: 12, external_id: '7', call_dnc: false })
    expect(JSON.stringify(lead.metadata)).toContain(JSON.stringify(metadata).slice(1, -1))
  })

  it('a bulk update that sets nothing is applied at once', async () => {
    const { id } = await created()
    const [{ task_id }] = await accepted([{ id }])
    expect((await taskNow(task_id)).body.status).toBe('applied')
    expect(await queued()).toEqual([])
  })
})

describe('results of a bulk update', () => {
  it('results of a bulk update follow the order of the items and list all errors of each item', async () => {
    const { id } = await created()
    const foreign = await created({}, OTHER_KEY)
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
      [{ id: 'seven' }, refused(helped('id: A valid integer is required. …'))],
      [{ id: true }, refused(helped('id: A valid integer is required. …'))],
      [{ id: 1.5 }, refused(helped('id: A valid integer is required. …'))],
      [{ id: [id] }, refused(helped('id: A valid integer is required. …'))],
      [
        { id: 'x', email: 'no', status: 'GONE' },
        refused(
          helped('id: A valid integer is required. …; email: Enter a valid email address. …; status: "GONE" is not a valid choice. …'),
        ),
      ],
      [{ id, phone_number: '' }, refused('phone_number: This field may not be blank.')],
      [{ id, lead_type: 5 }, refused(helped('lead_type: Invalid pk "5" - object does not exist. …'))],
      [{ id: foreign.id, lead_source: 'stolen' }, unknown(foreign.id)],
      [{ id: 2_000_000_000 }, unknown(2_000_000_000)],
      [{ id: 0 }, unknown(0)],
      [{ id: -id }, unknown(-id)],
      [
        { id, lead_source: 'b' },
        { id, ...QUEUED },
      ],
    ]
    expect(await accepted(cases.map(([item]) => item))).toEqual(cases.map(([, result]) => result))
    await work()
    expect((await leadNow(id)).lead_source).toBe('b')
    expect((await leadNow(foreign.id, OTHER_KEY)).lead_source).toBe('')
  })

  it('a bulk update requires a list of at most a thousand items and a valid API key', async () => {
    const missing = { status: 400, body: { leads: ['The body must contain a `leads` list.'] } }
    for (const body of [{}, { leads: null }, { leads: {} }, { leads: 'all' }, '[]', '5'])
      expect(await bulkUpdated(body)).toMatchObject(missing)
    expect(await bulkUpdated({ leads: [] })).toMatchObject({ status: 202, body: { results: [] } })
    const { status, body } = await bulkUpdated({ leads: Array.from({ length: 1001 }, () => ({ id: 1 })) })
    expect({ status, fields: Object.keys(body) }).toEqual({ status: 400, fields: ['leads'] })
    expect((await bulkUpdated({ leads: [] }, 'nobody')).status).toBe(401)
  })
})

describe('stops in a bulk update', () => {
  it.each([
    [{ status: 'CANCELLED' }, { status: 'CANCELLED', next_call_time: null }],
    [
      { status: 'LOST', status_detail: 'tcpa_litigator' },
      { status: 'LOST', status_detail: 'tcpa_litigator', next_call_time: null },
    ],
    [{ call_dnc: true }, { call_dnc: true, sms_dnc: false, next_call_time: null }],
    [{ sms_dnc: 'on' }, { sms_dnc: true, call_dnc: false }],
  ])('a stop such as %j in a bulk update is written before the answer, even when the queue fails', async (stop, shown) => {
    const { id } = await created({ timezone: 'America/New_York' })
    const [result] = await withoutQueue(() => accepted([{ id, ...stop }]))
    expect(result).toEqual({ id, ...QUEUED })
    expect(await leadNow(id)).toMatchObject({ ...shown, status_reason: 'status' in stop ? 'MANUAL' : 'UNKNOWN' })
    expect((await taskNow(result.task_id)).body).toMatchObject({ status: 'applied' })
  })

  it('a stop in a bulk update leaves the other fields of its item to the queue', async () => {
    const { id } = await created()
    const [{ task_id }] = await accepted([{ id, status: 'CANCELLED', external_id: 'crm-1' }])
    expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', external_id: null })
    expect((await taskNow(task_id)).body.status).toBe('queued')
    await work()
    expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', external_id: 'crm-1' })
  })

  it('a stop in a bulk update is not written again with the other fields of its item', async () => {
    const { id } = await created()
    await accepted([{ id, status: 'CANCELLED', external_id: 'crm-1' }])
    await updateLead(OWNER, id, { status: 'OPEN' }, { cause: 'MANUAL', accepted: nextSequence() })
    await work()
    expect(await leadNow(id)).toMatchObject({ status: 'OPEN', external_id: 'crm-1' })
  })

  it('stops in a bulk update all apply when many leads have the same phone', async () => {
    const phone_number = newPhone()
    const leads = []
    for (let index = 0; index < 12; index++) leads.push(await created({ phone_number, email: `${index}@example.com` }))
    const results = await accepted(leads.map(({ id }) => ({ id, call_dnc: true, status: 'CANCELLED' })))
    expect(results).toEqual(leads.map(({ id }) => ({ id, ...QUEUED })))
    for (const { id } of leads) expect(await leadNow(id)).toMatchObject({ status: 'CANCELLED', call_dnc: true })
  })

  it('a stop in a bulk update that also changes the phone applies to the old and the new phone', async () => {
    const { id } = await created()
    const phone_number = newPhone()
    await accepted([{ id, phone_number, call_dnc: true }])
    expect(await leadNow(id)).toMatchObject({ call_dnc: true })
    await work()
    expect(await leadNow(id)).toMatchObject({ phone_number, call_dnc: true })
    expect(await created({ phone_number })).toMatchObject({ call_dnc: true })
  })
})
