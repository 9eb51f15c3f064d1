import { describe, expect, it } from '@jest/globals'
import { LOOKUPS } from '#shared/ingestion/rules/target-fields.ts'
import type { UpdateLead, UpsertLead } from '#shared/leads/api/lead-request.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { leadsByEmail, leadsByExternalId } from '#shared/leads/pointer-store.ts'
import { type Reads, TABLE_READS } from '#shared/leads/reads.ts'
import { type UpsertHow, upsertLead } from '#shared/leads/upsert-lead.ts'
import { readPositionList } from '#shared/positions/position-list.ts'
import { countPositions } from '#shared/positions/rules/pages.ts'
import { helped } from '#test/support/helped.ts'
import { created, newPhone, patched, times } from '#test/support/lead-requests.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { OWNER } from '#test/support/world.ts'

suiteWorld()

const upsert = (input: UpsertLead, how: Partial<UpsertHow> = {}) =>
  upsertLead(OWNER, input, { lookups: LOOKUPS, several: 'newest', mode: 'upsert', ...how })
const refusedFor = (input: UpsertLead, how: Partial<UpsertHow> = {}) => upsert(input, how).catch((error) => error.fields)

describe('the lead that an upsert matches', () => {
  it('an upsert finds a lead by external id, then phone, then email', async () => {
    const lead = await created({ external_id: 'e-1', email: 'One@example.com' })
    const phone_number = lead.phone_number
    const other = await created({ external_id: 'e-2', email: 'two@example.com' })
    expect((await upsert({ external_id: 'e-1', phone_number: other.phone_number, lead_source: 'a' })).lead.id).toBe(lead.id)
    await patched(lead.id, { phone_number })
    expect((await upsert({ external_id: 'e-9', phone_number, email: 'two@example.com' })).lead).toMatchObject({
      id: lead.id,
      external_id: 'e-9',
      email: 'two@example.com',
    })
    expect((await upsert({ phone_number: newPhone(), email: 'ONE@example.com' })).action).toBe('created')
    expect((await upsert({ email: 'TWO@example.com', us_state: 'NY' })).lead.us_state).toBe('NY')
  })

  it('an upsert chooses the newest of several leads, unless an older one has the same phone and email', async () => {
    const phone_number = newPhone()
    const first = await created({ phone_number, email: 'same@example.com' })
    const second = await created({ phone_number, email: 'other@example.com' })
    expect((await upsert({ phone_number, lead_source: 'x' })).lead.id).toBe(second.id)
    expect((await upsert({ phone_number, email: 'SAME@example.com', lead_source: 'x' })).lead.id).toBe(first.id)
  })

  it('an upsert refuses several matching leads when the source refuses duplicates', async () => {
    await created({ external_id: 'e-twice' })
    await created({ external_id: 'e-twice' })
    expect(await refusedFor({ external_id: 'e-twice', phone_number: newPhone() }, { several: 'refuse' })).toEqual({
      external_id: ['There are 2 leads with this value. The value must name one lead.'],
    })
  })

  it('an upsert does not change a lead whose matched value changes during the lookup', async () => {
    const lead = await created({ external_id: 'e-old', email: 'old@example.com' })
    const changing = (changes: UpdateLead): Reads => ({
      ...TABLE_READS,
      leads: async (ids) => {
        await patched(lead.id, changes)
        return TABLE_READS.leads(ids)
      },
    })
    const found = [
      await upsert({ external_id: 'e-old', phone_number: newPhone() }, { reads: changing({ external_id: 'e-newer' }) }),
      await upsert({ phone_number: newPhone(), email: 'old@example.com' }, { reads: changing({ email: 'newer@example.com' }) }),
      await upsert({ phone_number: lead.phone_number, us_state: 'NY' }, { reads: changing({ phone_number: newPhone() }) }),
    ]
    expect(found.map(({ action }) => action)).toEqual(['created', 'created', 'created'])
    expect(await getLead(lead.id)).toMatchObject({ external_id: 'e-newer', email: 'newer@example.com', us_state: lead.us_state })
    expect(await leadsByExternalId(OWNER, 'e-old')).toEqual([found[0]?.lead.id])
  })

  it('an upsert in mode update needs an existing lead, and a created lead needs a phone number', async () => {
    expect(await refusedFor({ external_id: 'e-none' }, { mode: 'update' })).toEqual({
      external_id: ['There is no lead with this value to update.'],
    })
    expect(await refusedFor({ external_id: 'e-none' })).toEqual({ phone_number: [helped('This field is required. …')] })
  })
})

describe('concurrent upserts', () => {
  const count = async () => countPositions(await readPositionList(OWNER))

  it('concurrent upserts create 20 leads from 200 inputs that mix external id, phone and email', async () => {
    const before = await count()
    const people = Array.from({ length: 20 }, (_, person) => ({
      external_id: `mixed-${person}`,
      phone_number: newPhone(),
      email: `mixed-${person}@example.com`,
      other_phone: newPhone(),
    }))
    const wants = people.flatMap(({ external_id, phone_number, email, other_phone }, person): UpsertLead[] => {
      const bodies = [
        { external_id, phone_number, email },
        { external_id, phone_number },
        { phone_number, email },
        { external_id, phone_number: other_phone, email },
      ]
      return Array.from({ length: 10 }, (_, index) => ({ ...bodies[(index + person) % 4]!, metadata: { turn: index } }))
    })
    const shuffled = wants.map((want) => ({ want, at: Math.random() })).toSorted((a, b) => a.at - b.at)
    const results = await Promise.all(shuffled.map(({ want }) => upsert(want)))
    expect(results.filter(({ action }) => action === 'created')).toHaveLength(20)
    expect(new Set(results.map(({ lead }) => lead.id)).size).toBe(20)
    expect(await count()).toBe(before + 20)
    for (const { external_id, email, phone_number, other_phone } of people) {
      const [byId, byEmail] = [await leadsByExternalId(OWNER, external_id), await leadsByEmail(OWNER, email)]
      expect(byId).toHaveLength(1)
      expect(byEmail).toEqual(byId)
      const persons = [await getPerson(OWNER, phone_number), await getPerson(OWNER, other_phone)]
      expect(persons.flatMap(({ leads }) => leads.map(({ id }) => id))).toEqual(byId)
    }
  })

  it('concurrent upserts create one lead when they share a row, an external id or an email', async () => {
    const at = { upload: 'upload-1', row: 1, batchFrom: 1 }
    const [external_id, email, phone_number] = ['e-once', 'once@example.com', newPhone()]
    const rows = await times(16, () => upsert({ external_id, phone_number }, { lookups: ['external_id'], row: at }))
    expect(rows.map(({ action }) => action)).toEqual(Array(16).fill('created'))
    await times(16, () => upsert({ external_id: 'e-alone', phone_number: newPhone() }, { lookups: ['external_id'] }))
    await times(16, () => upsert({ email, phone_number: newPhone() }, { lookups: ['email'] }))
    expect(await leadsByExternalId(OWNER, external_id)).toHaveLength(1)
    expect(await leadsByExternalId(OWNER, 'e-alone')).toHaveLength(1)
    expect(await leadsByEmail(OWNER, email)).toHaveLength(1)
  })
})
