import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLeads, saveLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { LEAD_STATUSES } from '#shared/platform/values/values.ts'
import { seedLeads } from '#test/simulation/seed.ts'
import { listWorld, newOwner } from '#test/support/list-owners.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'

listWorld()

const TYPES = [null, 4, 5] as const
const MOST = 60
/** Few different times, so that many leads share one. */
const time = fc.integer({ min: 0, max: 30 }).map((minutes) => NOON + minutes * MINUTE)
const fields = fc.record({
  status: fc.constantFrom(...LEAD_STATUSES.slice(0, 5)),
  lead_type: fc.constantFrom(...TYPES),
  modified_time: time,
})
const change = fc.record({ place: fc.nat(), fields })

const filter = fc.record(
  {
    status: fc.subarray([...LEAD_STATUSES.slice(0, 6)], { minLength: 1, maxLength: 4 }),
    lead_type: fc.constantFrom(4, 5),
    modified_time_after: time,
    modified_time_before: time,
    ordering: fc.constantFrom('modified_time', '-modified_time'),
  },
  { requiredKeys: [] },
)
type Filter = Partial<{
  status: string[]
  lead_type: number
  modified_time_after: number
  modified_time_before: number
  ordering: string
}>

const isEmptyRange = ({ modified_time_after = 0, modified_time_before = Infinity }: Filter): boolean =>
  modified_time_after > modified_time_before

const queryOf = ({ status, lead_type, modified_time_after, modified_time_before, ordering }: Filter): Record<string, string> => ({
  ...(status && { status: status.join(',') }),
  ...(lead_type && { lead_type: `${lead_type}` }),
  ...(modified_time_after && { modified_time_after: new Date(modified_time_after).toISOString() }),
  ...(modified_time_before && { modified_time_before: new Date(modified_time_before).toISOString() }),
  ...(ordering && { ordering }),
})

/** The ids that a filter should list, in order. */
const expected = (leads: readonly Lead[], { status, lead_type, modified_time_after, modified_time_before, ordering }: Filter): number[] => {
  const sign = ordering === 'modified_time' ? 1 : -1
  return leads
    .filter((lead) => !status || status.includes(lead.status))
    .filter((lead) => !lead_type || lead.lead_type === lead_type)
    .filter(({ modified_time }) => modified_time >= (modified_time_after ?? 0) && modified_time <= (modified_time_before ?? Infinity))
    .sort((a, b) => sign * (a.modified_time - b.modified_time || a.id - b.id))
    .map(({ id }) => id)
}

describe('every combination of filters', () => {
  it('every combination of filters lists exactly the leads that fit, each once over all pages, in both directions', async () => {
    const runs = fc.tuple(
      fc.array(fields, { minLength: 1, maxLength: MOST, size: 'max' }),
      fc.array(change, { maxLength: MOST, size: 'max' }),
      fc.array(
        fc.tuple(
          filter.filter((one) => Object.keys(one).length > 0 && !isEmptyRange(one)),
          fc.integer({ min: 6, max: 100 }),
        ),
        { minLength: 4, maxLength: 4 },
      ),
    )
    await fc.assert(
      fc.asyncProperty(runs, async ([drawn, changes, asked]) => {
        const owner = await newOwner()
        await saveLeadType(sampleLeadType({ owner: owner.id, id: 5, name: 'Other' }))
        const { firstId } = await seedLeads({ owner: owner.id, leads: drawn.length, vary: (index) => drawn[index]! })
        const ids = drawn.map((_, index) => firstId + index)
        const leads = await getLeads(ids, { consistent: true })
        for (const { place, fields: next } of changes) {
          const lead = leads.get(ids[place % ids.length]!)!
          const changed = { ...lead, ...next, version: lead.version + 1 }
          expect(await saveLead(changed)).toBe(true)
          leads.set(lead.id, changed)
        }
        for (const [one, size] of asked) {
          const wanted = expected([...leads.values()], one)
          const { ids: found, idsBack, counts } = await owner.follow({ ...queryOf(one), page_size: `${size}` })
          expect({ found, idsBack, counts }).toEqual({ found: wanted, idsBack: wanted, counts: [wanted.length] })
        }
      }),
      { numRuns: 15 },
    )
  })
})
