import { afterEach, describe, expect, it } from '@jest/globals'
import { LOOKUPS } from '#shared/ingestion/rules/target-fields.ts'
import type { UpsertLead } from '#shared/leads/api/lead-request.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { type UpsertHow, upsertLead } from '#shared/leads/upsert-lead.ts'
import { helped } from '#test/support/helped.ts'
import { created, newPhone, phoneOf, writeUnits } from '#test/support/lead-requests.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { watchCommands } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const world = suiteWorld()

afterEach(() => world().queues.take('CALL_QUEUE_URL'))

const upsert = (input: UpsertLead, how: Partial<UpsertHow> = {}) =>
  upsertLead(OWNER, input, { lookups: LOOKUPS, several: 'newest', mode: 'upsert', ...how })
const refusedFor = (input: UpsertLead, how: Partial<UpsertHow> = {}) => upsert(input, how).catch((error) => error.fields)

let row = 0
const nextRow = () => ({ upload: 'upload-1', row: ++row, batchFrom: 1 })

describe('an upsert', () => {
  it('an upsert creates a lead of the given lead type and sends its call', async () => {
    const phone_number = newPhone()
    const { lead, action } = await upsert({ phone_number, lead_type: 4, external_id: 'e-new', metadata: { timezone: 'America/New_York' } })
    expect({ action, lead }).toMatchObject({
      action: 'created',
      lead: { status: 'OPEN', lead_type: 4, next_call_time_reason: 'FIRST_CALL' },
    })
    expect((await world().queues.take('CALL_QUEUE_URL')).map((text) => JSON.parse(text))).toMatchObject([
      { type: 'dial', lead_id: lead.id },
    ])
  })

  it('an upsert changes only supplied fields, and keeps the lead type and any stop', async () => {
    const lead = await created({ lead_source: 'web', us_state: 'NY', call_dnc: true, metadata: { a: 1, b: 2 } })
    const { lead: after } = await upsert({
      ...{ phone_number: lead.phone_number, lead_type: null, email: null, lead_source: '', call_dnc: false, metadata: { b: 3 } },
    })
    expect(after).toMatchObject({ lead_type: 4, lead_source: 'web', us_state: 'NY', call_dnc: true, metadata: { a: 1, b: 3 } })
  })

  it('an upsert writes nothing and calls nobody when nothing changes', async () => {
    const input = {
      phone_number: newPhone(),
      external_id: 'e-same',
      email: 'Same@example.com',
      metadata: { a: { b: [1] } },
      call_dnc: true,
    }
    const first = await upsert(input)
    await world().queues.take('CALL_QUEUE_URL')
    const write = await writeUnits(async () => {
      expect(await upsert({ ...input, call_dnc: false }, { row: nextRow() })).toEqual({ lead: first.lead, action: 'unchanged' })
      expect(await upsert(input, { row: nextRow() })).toEqual({ lead: first.lead, action: 'unchanged' })
    })
    expect(write).toBe(0)
    expect(await world().queues.take('CALL_QUEUE_URL')).toEqual([])
  })

  it('an upsert raises a stop on the phone and its other leads', async () => {
    const phone_number = newPhone()
    const other = await created({ phone_number })
    const lead = await created({ phone_number, external_id: 'e-stop' })
    const { action, lead: after } = await upsert({ external_id: 'e-stop', call_dnc: true }, { row: nextRow() })
    expect({ action, after }).toMatchObject({ action: 'updated', after: { id: lead.id, call_dnc: true, next_call_time: null } })
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true, sms_dnc: false })
    expect(await getLead(other.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('an upsert raises a stop even if it is refused', async () => {
    const [phone_number, taken] = [newPhone(), newPhone()]
    const lead = await created({ phone_number, email: 'stop@example.com', external_id: 'e-refused-stop' })
    const other = await created({ phone_number: taken, email: 'stop@example.com' })
    expect(await refusedFor({ external_id: 'e-refused-stop', phone_number: taken, call_dnc: true })).toEqual({
      non_field_errors: [helped('The fields email, phone_number, company must make a unique set. …')],
    })
    for (const phone of [phone_number, taken]) expect(await phoneOf(phone)).toMatchObject({ call_dnc: true })
    expect(await getLead(lead.id)).toMatchObject({ phone_number, call_dnc: true, next_call_time: null })
    expect(await getLead(other.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('an upsert completes a stop everywhere when repeated after a crash', async () => {
    const watch = watchCommands()
    for (let effect = 1, died = true; died; effect++) {
      const phone_number = newPhone()
      const input = { external_id: `e-cut-${effect}`, call_dnc: true }
      const leads = [await created({ phone_number }), await created({ phone_number, external_id: input.external_id })]
      died = await watch.killed(effect, () => upsert(input))
      await upsert(input)
      expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true })
      for (const { id } of leads) expect({ effect, lead: await getLead(id) }).toMatchObject({ effect, lead: { call_dnc: true } })
      expect(await writeUnits(() => upsert(input))).toBe(0)
    }
    watch.stop()
  })

  it('an upsert never reengages a lead, and keeps a phone and an email unique', async () => {
    const lead = await created({ email: 'gone@example.com', external_id: 'e-gone', status: 'LOST' })
    const input = { phone_number: lead.phone_number, email: 'gone@example.com', external_id: 'e-other', min_reengagement_days: 0 }
    expect(await refusedFor(input, { lookups: ['external_id'] })).toEqual({
      non_field_errors: [helped('The fields email, phone_number, company must make a unique set. …')],
    })
    expect(await upsert(input)).toMatchObject({ action: 'updated', lead: { id: lead.id, status: 'LOST', reengagements_count: 0 } })
  })
})

describe('a row of a file', () => {
  it('a row of a file reports its first result and changes nothing when repeated', async () => {
    const input = { phone_number: newPhone(), external_id: 'e-row' }
    const [first, second, third] = [nextRow(), nextRow(), nextRow()]
    const lookups = ['external_id'] as const
    const made = await upsert(input, { lookups, row: first })
    await upsert({ ...input, us_state: 'NY' }, { lookups, row: second })
    await upsert({ ...input, us_state: 'CA' }, { lookups, row: third })
    const before = await getLead(made.lead.id)
    expect((await upsert(input, { lookups, row: first })).action).toBe('created')
    expect((await upsert({ ...input, us_state: 'NY' }, { lookups, row: second })).action).toBe('updated')
    expect((await upsert({ ...input, us_state: 'CA' }, { lookups, row: third })).action).toBe('updated')
    expect(await getLead(made.lead.id)).toEqual(before)
  })

  it('a row without effect still has none when repeated after a later row', async () => {
    const input = { phone_number: newPhone(), external_id: 'e-late' }
    const [first, second] = [nextRow(), nextRow()]
    await upsert({ ...input, us_state: 'NY' })
    expect((await upsert({ ...input, us_state: 'NY' }, { row: first })).action).toBe('unchanged')
    expect((await upsert({ ...input, us_state: 'CA' }, { row: second })).action).toBe('updated')
    expect(await upsert({ ...input, us_state: 'NY' }, { row: first })).toMatchObject({ action: 'unchanged', lead: { us_state: 'CA' } })
  })

  it('a lead remembers the rows of a file that wrote it until rows of a later batch replace all but the last of them', async () => {
    const input = { phone_number: newPhone(), external_id: 'e-marks' }
    const { lead } = await upsert(input, { row: { upload: 'own', row: 1, batchFrom: 1 } })
    const write = (upload: string, at: number, batchFrom: number) =>
      upsert({ ...input, lead_source: `${upload}-${at}` }, { row: { upload, row: at, batchFrom } })
    await write('own', 2, 1)
    await write('own', 7, 2)
    const marks = async () => (await getLead(lead.id))?.ingested.map(({ upload, row: at, outcome }) => `${upload} ${at} ${outcome}`)
    expect(await marks()).toEqual(['own 1 created', 'own 2 updated', 'own 7 updated'])
    await write('own', 9, 8)
    expect(await marks()).toEqual(['own 7 updated', 'own 9 updated'])
    for (let other = 1; other <= 7; other++) await write(`other-${other}`, other, 1)
    expect(await marks()).toEqual([2, 3, 4, 5, 6, 7].map((other) => `other-${other} ${other} updated`))
  })
})
