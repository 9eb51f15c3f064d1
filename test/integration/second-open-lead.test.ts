import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { upsertLead } from '#shared/leads/upsert-lead.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, leadNow, newPhone, patched, times } from '#test/support/lead-requests.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { OWNER, request } from '#test/support/world.ts'

callWorld()

const REFUSE = 41
const MERGE = 42
/** Refuses a second open lead, but reengages the newest lead even if it is open. */
const REOPEN = 43

beforeAll(async () => {
  const { saveLeadType } = await import('#shared/accounts/lead-type-store.ts')
  const reengagement = { enabled: false, min_days: 0, match: 'phone' } as const
  await saveLeadType(sampleLeadType({ owner: OWNER, id: REFUSE, reengagement, second_open_lead: 'refuse' }))
  await saveLeadType(sampleLeadType({ owner: OWNER, id: MERGE, reengagement, second_open_lead: 'merge' }))
  const reopening = { ...reengagement, enabled: true, eligible_statuses: ['OPEN' as const] }
  await saveLeadType(sampleLeadType({ owner: OWNER, id: REOPEN, reengagement: reopening, second_open_lead: 'refuse' }))
})

const post = (body: Record<string, unknown>) =>
  request(create, { method: 'POST', path: '/api/leads/', body: { timezone: 'America/New_York', ...body } })

describe('a lead type that refuses a second open lead', () => {
  it('a lead type may refuse a second open lead with the id of the first, until that is closed', async () => {
    const phone_number = newPhone()
    const { id } = await created({ phone_number })
    const second = await post({ phone_number, lead_type: REFUSE, email: 'b@example.com' })
    const message = `This phone number has an open lead already. Lead ${id} is still open: update it, or close it first.`
    expect(second).toMatchObject({ status: 400, body: { phone_number: [message] } })
    await patched(id, { status: 'LOST' })
    expect(await post({ phone_number, lead_type: REFUSE, email: 'b@example.com' })).toMatchObject({ status: 201 })
  })

  it('a lead type that refuses a second open lead accepts one of many that arrive at once', async () => {
    const phone_number = newPhone()
    const answers = await times(6, () => post({ phone_number, lead_type: REFUSE }))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400])
  })
})

describe('the search for an open lead among many', () => {
  const SEVERAL = 30
  const withLeads = async (...bodies: object[]) => {
    const phone_number = newPhone()
    const ids: number[] = []
    for (const body of bodies) ids.push((await created({ phone_number, ...body })).id)
    return { phone_number, ids }
  }
  const closed = Array.from({ length: SEVERAL }, () => ({ status: 'LOST' }))
  const email = 'ann@example.com'

  it('a create finds the open lead of its phone number behind many newer closed ones', async () => {
    const { phone_number, ids } = await withLeads({}, ...closed)
    expect(await post({ phone_number, lead_type: MERGE })).toMatchObject({ status: 200, body: { id: ids[0] } })
  })

  it('a create finds the open lead with the same email before many newer ones', async () => {
    const { phone_number, ids } = await withLeads({ email }, ...closed, {})
    expect(await post({ phone_number, lead_type: MERGE, email })).toMatchObject({ status: 200, body: { id: ids[0] } })
  })

  it('a create reads at most ten leads of its phone number when one of them is open', async () => {
    const { phone_number } = await withLeads(...closed, {})
    await post({ phone_number, lead_type: REFUSE })
    const { read } = await unitsOf(() => post({ phone_number, lead_type: REFUSE }))
    expect(read).toBeLessThan(SEVERAL)
  })

  it('a create reads on when a newer lead decides whether the open one is reopened', async () => {
    const { phone_number, ids } = await withLeads(...closed, {})
    const again = () => post({ phone_number, lead_type: REOPEN })
    expect(await again()).toMatchObject({ status: 200, body: { id: ids.at(-1), reengagements_count: 1 } })
    await created({ phone_number, status: 'LOST', email })
    expect(await again()).toMatchObject({ status: 400 })
  })
})

describe('a lead type that merges a second open lead', () => {
  it('a lead type may merge a second open lead into the first, whose status and next call stay', async () => {
    const phone_number = newPhone()
    const first = await created({ phone_number, lead_type: MERGE, external_id: 'A-1', first_name: 'Ann' })
    const second = await post({ phone_number, lead_type: MERGE, external_id: 'A-2', email: 'ann@example.com', roof: 'flat' })
    expect(second).toMatchObject({
      status: 200,
      body: { id: first.id, external_id: 'A-2', email: 'ann@example.com', metadata: { first_name: 'Ann', roof: 'flat' } },
    })
    const { status, next_call_time } = await leadNow(first.id)
    expect({ status, next_call_time }).toEqual({ status: first.status, next_call_time: first.next_call_time })
  })

  it('a lead type that merges open leads makes one lead of many that arrive at once', async () => {
    const phone_number = newPhone()
    const answers = await times(6, (at) => post({ phone_number, lead_type: MERGE, metadata: { [`key_${at}`]: at } }))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    const { metadata } = await leadNow(answers[0]?.body.id)
    expect(metadata).toMatchObject({ key_0: 0, key_1: 1, key_2: 2, key_3: 3, key_4: 4, key_5: 5 })
  })

  it('a bulk create says "updated" for a lead that its lead type merged into an open one', async () => {
    const phone_number = newPhone()
    const lead = { phone_number, lead_type: MERGE, timezone: 'America/New_York' }
    const { body } = await request(bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads: [lead, lead] } })
    expect(body.results).toMatchObject([{ action: 'created' }, { action: 'updated', id: body.results[0].id }])
  })

  it('a lead type that merges open leads makes another lead once the first one is closed', async () => {
    const phone_number = newPhone()
    const first = await created({ phone_number, lead_type: MERGE })
    await patched(first.id, { status: 'CLOSED' })
    expect(await post({ phone_number, lead_type: MERGE })).toMatchObject({ status: 201 })
  })

  it('an upsert that finds no lead by its own lookup merges into the open lead of the phone number', async () => {
    const phone_number = newPhone()
    const first = await created({ phone_number, lead_type: MERGE, external_id: 'B-1' })
    const how = { lookups: ['external_id'], several: 'newest', mode: 'upsert' } as const
    const { lead, action } = await upsertLead(OWNER, { phone_number, lead_type: MERGE, external_id: 'B-2' }, how)
    expect({ id: lead.id, action, external_id: lead.external_id }).toEqual({ id: first.id, action: 'updated', external_id: 'B-2' })
  })
})

describe('a lead type that allows a second open lead', () => {
  it('a lead type that allows a second open lead makes one more lead for the same phone number', async () => {
    const phone_number = newPhone()
    await created({ phone_number })
    expect(await post({ phone_number })).toMatchObject({ status: 201 })
  })
})
