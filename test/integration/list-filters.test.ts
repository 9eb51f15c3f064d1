import { describe, expect, it, jest } from '@jest/globals'
import { withPlace } from '#shared/leads/create/placed-lead.ts'
import { getLead, insertLead, leadFromItem, leadItem } from '#shared/leads/lead-store.ts'
import { leadKey } from '#shared/platform/keys.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { seedLeads } from '#test/simulation/seed.ts'
import { passTime } from '#test/support/clock.ts'
import { created, filterOwner, listWorld, OTHER_TYPE } from '#test/support/list-owners.ts'
import { NOON, sampleLead } from '#test/support/samples.ts'

listWorld()

const iso = (instant: number): string => new Date(instant).toISOString()

describe('a list with filters', () => {
  it('a filtered list shows the leads with some statuses and a lead type, the last changed first', async () => {
    const owner = await filterOwner()
    const [one, two, three, four] = [await owner.add(), await owner.add(), await owner.add({ lead_type: OTHER_TYPE }), await owner.add()]
    await owner.change(two, { status: 'LOST' })
    await owner.change(one, { external_id: 'changed' })
    expect((await owner.follow({ status: 'OPEN' })).ids).toEqual([one, four, three])
    expect((await owner.follow({ status: 'LOST' })).ids).toEqual([two])
    expect((await owner.follow({ status: 'LOST,OPEN', page_size: '1' })).ids).toEqual([one, two, four, three])
    expect((await owner.follow({ lead_type: '4' })).ids).toEqual([one, two, four])
    expect((await owner.follow({ lead_type: `${OTHER_TYPE}`, status: 'OPEN' })).ids).toEqual([three])
    expect((await owner.follow({ lead_type: `${OTHER_TYPE}`, status: 'LOST' })).ids).toEqual([])
    expect((await owner.follow({ ordering: 'modified_time' })).ids).toEqual([three, four, two, one])
    expect((await owner.follow({ ordering: '-modified_time' })).ids).toEqual([one, two, four, three])
  })

  it('a filtered list follows a lead through changes of status and lead type', async () => {
    const owner = await filterOwner()
    const id = await owner.add()
    for (const status of ['CALLBACK_TO_TRANSFER', 'CLOSED', 'OPEN']) {
      await owner.change(id, { status })
      expect((await owner.follow({ status })).ids).toEqual([id])
      for (const other of ['CALLBACK_TO_TRANSFER', 'CLOSED', 'OPEN'].filter((one) => one !== status))
        expect((await owner.follow({ status: other })).ids).toEqual([])
    }
    await owner.change(id, { lead_type: OTHER_TYPE })
    expect((await owner.follow({ lead_type: '4' })).ids).toEqual([])
    expect((await owner.follow({ lead_type: `${OTHER_TYPE}` })).ids).toEqual([id])
    await owner.change(id, { lead_type: null })
    expect((await owner.follow({ lead_type: `${OTHER_TYPE}` })).ids).toEqual([])
    expect((await owner.follow({ status: 'OPEN' })).ids).toEqual([id])
  })

  it('a filtered list includes both ends of a range of changes', async () => {
    const owner = await filterOwner()
    const ids = [await owner.add(), await owner.add(), await owner.add()]
    const [first, second, third] = await Promise.all(ids.map(async (id) => (await owner.timesOf(id)).modified_time))
    const found = async (after?: number, before?: number) =>
      (
        await owner.follow({
          ...(after && { modified_time_after: iso(after) }),
          ...(before && { modified_time_before: iso(before) }),
          ordering: 'modified_time',
        })
      ).ids
    expect(await found(second)).toEqual(ids.slice(1))
    expect(await found(undefined, second)).toEqual(ids.slice(0, 2))
    expect(await found(second, second)).toEqual([ids[1]])
    expect(await found(first! + 1, third! - 1)).toEqual([ids[1]])
    expect(await found(third! + 1)).toEqual([])
    const shown = (await owner.get({ lead_type: '4' })).json.results[0].modified_time
    expect((await owner.follow({ modified_time_after: shown })).ids).toEqual([ids[2]])
    expect((await owner.follow({ modified_time_after: shown.replace('Z', ' 00:00') })).ids).toEqual([ids[2]])
  })

  it('a filtered list shows nothing of the index in which it finds leads', async () => {
    const owner = await filterOwner()
    const id = await owner.add()
    const lead = (await getLead(id))!
    expect(leadFromItem(leadItem(lead))).toEqual(lead)
    for (const name of ['change_list', 'changed_at']) {
      expect(leadItem(lead)).toHaveProperty(name)
      expect(lead).not.toHaveProperty(name)
      expect((await owner.get({ status: 'OPEN' })).json.results[0]).not.toHaveProperty(name)
    }
  })

  it('a filtered list shows no leads of another owner', async () => {
    const [owner, other] = [await filterOwner(), await filterOwner()]
    await owner.add()
    for (const query of [{ status: 'OPEN' }, { lead_type: '4' }, { ordering: 'modified_time' }, { created_time_after: '2000-01-01' }])
      expect((await other.get(query)).json).toMatchObject({ count: 0, next: null, previous: null, results: [] })
  })

  it('a filtered list links its pages in both directions by opaque cursors, and counts on the first page', async () => {
    const owner = await filterOwner()
    const ids: number[] = []
    for (let count = 0; count < 7; count++) ids.unshift(await owner.add())
    const query = { status: 'OPEN,NEW', page_size: '3', page: '1' }
    const first = (await owner.get(query)).json
    expect(first).toMatchObject({ count: 7, previous: null })
    expect(first.next).toMatch(/\/api\/leads\/\?cursor=[\w-]+&page_size=3&status=OPEN%2CNEW$/)
    expect(await owner.follow(query)).toEqual({ ids, idsBack: ids, counts: [7], pages: 3 })
    const second = (await owner.getAt(first.next)).json
    expect((await owner.getAt(second.previous)).json).toEqual(first)
  })

  it('a filtered list counts its leads up to 1,000', async () => {
    const owner = await filterOwner()
    await seedLeads({ owner: owner.id, leads: 999 })
    expect((await owner.get({ status: 'CLOSED' })).json.count).toBe(999)
    await seedLeads({ owner: owner.id, leads: 3, vary: () => ({ lead_type: null }) })
    expect((await owner.get({ status: 'CLOSED' })).json.count).toBe(1000)
    expect((await owner.get({ status: 'CLOSED', lead_type: '4' })).json.count).toBe(999)
  })

  it('a filtered list finds all leads when most are in one partition of the index', async () => {
    const owner = await filterOwner()
    const ids = Array.from({ length: 300 }, (_, index) => 8_000_000 + (index % 20 === 0 ? 8 * index + 1 : 8 * index))
    const leads = ids.map((id, index) =>
      sampleLead({ id, owner: owner.id, position: index + 1, modified_time: NOON + Math.floor(index / 2) }),
    )
    await batchPut(leads.map(leadItem))
    const query = { status: 'OPEN', page_size: '100' }
    const inOrder = leads.toSorted((a, b) => a.modified_time - b.modified_time || a.id - b.id).map(({ id }) => id)
    expect(await owner.follow({ ...query, ordering: 'modified_time' })).toEqual({ ids: inOrder, idsBack: inOrder, counts: [300], pages: 3 })
    expect((await owner.follow(query)).ids).toEqual(inOrder.toReversed())
  })

  it('a filtered list shows a lead that changes during a walk again at its end, oldest change first', async () => {
    const owner = await filterOwner()
    const ids: number[] = []
    for (let count = 0; count < 6; count++) ids.push(await owner.add())
    const first = (await owner.get({ ordering: 'modified_time', page_size: '4' })).json
    await owner.change(ids[0]!, { external_id: 'again' })
    const second = (await owner.getAt(first.next)).json
    expect(second.results.map(({ id }: { id: number }) => id)).toEqual([...ids.slice(4), ids[0]])
  })

  it('a filtered list leaves out a lead that only an old index entry names, and shows no lead twice', async () => {
    const owner = await filterOwner()
    const [id, other] = [await owner.add(), await owner.add()]
    const stale = leadItem((await getLead(id))!)
    await owner.change(id, { status: 'LOST' })
    await updateItem(leadKey(id), {
      UpdateExpression: 'SET change_list = :list, changed_at = :at',
      ExpressionAttributeValues: { ':list': stale['change_list'], ':at': stale['changed_at'] },
    })
    expect((await owner.follow({ status: 'OPEN' })).ids).toEqual([other])
    await putItem({ ...leadItem((await getLead(other))!), sk: 'COPY' })
    expect((await owner.follow({ status: 'OPEN', page_size: '1' })).ids).toEqual([other])
  })
})

describe('a list of leads created in a range', () => {
  it('a list of leads created in a range includes both ends, newest first, with exact pages and an exact count', async () => {
    const owner = await filterOwner()
    const ids: number[] = []
    for (let count = 0; count < 30; count++) {
      passTime(count % 3 === 0 ? MINUTE : 1)
      ids.unshift(await owner.add())
    }
    const instants = await Promise.all(ids.map(async (id) => (await owner.timesOf(id)).created_time))
    for (const [after, before] of [
      [29, 0],
      [20, 10],
      [15, 15],
      [4, 3],
    ] as const) {
      const range = { created_time_after: iso(instants[after]!), created_time_before: iso(instants[before]!) }
      const wanted = ids.slice(before, after + 1)
      expect(await owner.walk({ ...range, page_size: '4' })).toMatchObject({ ids: wanted, counts: [wanted.length] })
    }
    expect((await owner.walk({ created_time_before: iso(instants[25]!) })).ids).toEqual(ids.slice(25))
    expect((await owner.walk({ created_time_after: iso(instants[0]! + 1) })).ids).toEqual([])
    expect((await owner.get({ created_time_after: iso(instants[9]!), page_size: '4', page: '3' })).json).toMatchObject({
      count: 10,
      next: null,
      previous: expect.stringContaining('page=2'),
    })
    expect((await owner.get({ created_time_after: iso(instants[9]!), page: '2' })).status).toBe(404)
  })
})

describe('a lookup with filters', () => {
  it('a lookup with filters shows only the leads found that fit, in either order', async () => {
    const owner = await filterOwner()
    const shared = { external_id: 'crm-1' }
    const ids = [await owner.add(shared), await owner.add(shared), await owner.add({ ...shared, lead_type: OTHER_TYPE }), await owner.add()]
    await owner.change(ids[0]!, { status: 'LOST' })
    const { created_time } = await owner.timesOf(ids[1]!)
    const found = async (query: Record<string, string>) => (await owner.walk({ ...shared, ...query, page_size: '1' })).ids
    expect(await found({ status: 'OPEN' })).toEqual([ids[2], ids[1]])
    expect(await found({ lead_type: '4' })).toEqual([ids[1], ids[0]])
    expect(await found({ ordering: '-modified_time' })).toEqual([ids[0], ids[2], ids[1]])
    expect(await found({ created_time_after: iso(created_time), status: 'OPEN', lead_type: '4' })).toEqual([ids[1]])
    expect((await owner.get({ external_id: 'crm-1', status: '' })).status).toBe(400)
  })

  it('a lookup with filters is refused when the value has more than 200 leads', async () => {
    const owner = await filterOwner()
    for (let count = 0; count < 201; count++) await created(owner, { email: 'shared@example.com' })
    expect(await owner.get({ email: 'shared@example.com', status: 'OPEN' })).toMatchObject({
      status: 400,
      json: { non_field_errors: [expect.stringContaining('More than 200 leads')] },
    })
    expect((await owner.get({ email: 'shared@example.com' })).json.count).toBe(201)
  })
})

describe('a create that loses races for seconds', () => {
  it('a create that loses races for seconds takes a later position, so that leads stay in order of creation', async () => {
    const owner = await filterOwner()
    const [id, before] = [await owner.add(), Date.now]
    const waited = jest.spyOn(Date, 'now')
    const positions: number[] = []
    try {
      const { lead } = await withPlace({ owner: owner.id, giveUpAt: Infinity }, async (takePlace) => {
        const place = await takePlace()
        positions.push(place.position)
        waited.mockImplementation(() => before() + positions.length * 1500)
        if (positions.length < 4) return undefined
        const made = sampleLead({ ...place, owner: owner.id })
        expect(await transact([insertLead(made)])).toEqual({ committed: true })
        return { lead: made }
      })
      expect(positions).toEqual([2, 2, 3, 3])
      expect(await owner.walk()).toMatchObject({ ids: [lead.id, id], counts: [2] })
    } finally {
      waited.mockRestore()
    }
  })
})
