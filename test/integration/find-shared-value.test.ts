import { beforeAll, describe, expect, it } from '@jest/globals'
import { getLead, leadItem } from '#shared/leads/lead-store.ts'
import { pointersOf } from '#shared/leads/pointer-store.ts'
import { batchPut } from '#shared/platform/table/batches.ts'
import { created, listWorld, newOwner } from '#test/support/list-owners.ts'
import { unitsOf } from '#test/support/units.ts'

listWorld()

const EMAIL = 'none@example.com'
/** An external id of all leads, and one of a few leads. */
const [ALL, FEW] = ['n/a', 'crm-7']

/** An owner with so many leads that share an email, and ids of these leads, the newest first. Every 100th of them has another external id. */
const ownerOf = async (count: number) => {
  const owner = await newOwner()
  const first = await created(owner, { email: EMAIL, external_id: FEW })
  const lead = (await getLead(first))!
  const others = Array.from({ length: count - 1 }, (_, index) => {
    const id = 1_000_000 + first * 10_000 + index
    return { ...lead, id, position: id, external_id: (index + 1) % 100 === 0 ? FEW : ALL }
  })
  await batchPut(others.flatMap((each) => [leadItem(each), ...pointersOf(each).map((key) => ({ ...key }))]))
  const leads = [...others.toReversed(), lead]
  return { ...owner, ids: leads.map(({ id }) => id), few: leads.flatMap(({ id, external_id }) => (external_id === FEW ? [id] : [])) }
}

type Owner = Awaited<ReturnType<typeof ownerOf>>
let [owner, large]: Owner[] = []
beforeAll(async () => {
  owner = await ownerOf(1250)
  large = await ownerOf(2500)
})

describe('a lookup of leads by a value that more than 1,000 leads share', () => {
  it('a lookup lists each of 1,250 leads once in both directions, the newest first', async () => {
    const { ids, idsBack, counts, pages } = await owner!.follow({ email: EMAIL, page_size: '100' })
    expect(ids).toEqual(owner!.ids)
    expect(idsBack).toEqual(owner!.ids)
    expect({ counts, pages }).toEqual({ counts: [1000], pages: 13 })
  })

  it('a lookup costs the same on each page, however many leads share the value', async () => {
    const readsOf = async ({ getAt, get }: Owner) => {
      const first = (await get({ email: EMAIL, page_size: '10' })).json
      const { read } = await unitsOf(() => get({ email: EMAIL, page_size: '10' }))
      return { first: read, second: (await unitsOf(() => getAt(first.next))).read }
    }
    const few = await readsOf(owner!)
    expect(await readsOf(large!)).toEqual(few)
    expect(few.first).toBeLessThan(50)
    expect(few.second).toBeLessThan(20)
  })

  it('pages have numbers among the first 1,000 leads only', async () => {
    const asked = { email: EMAIL, page_size: '100' }
    const { json } = await owner!.get({ ...asked, page: '10' })
    expect(json.results.map(({ id }: { id: number }) => id)).toEqual(owner!.ids.slice(900, 1000))
    expect((await owner!.getAt(json.next)).json.results[0].id).toBe(owner!.ids[1000])
    expect(await owner!.get({ ...asked, page: '11' })).toMatchObject({ status: 404, json: { detail: 'Invalid page.' } })
  })

  it('a cursor is valid for its value only', async () => {
    const { next } = (await owner!.get({ email: EMAIL })).json
    const cursor = new URL(next).searchParams.get('cursor')!
    expect((await owner!.get({ external_id: ALL, cursor })).status).toBe(404)
    expect((await large!.get({ email: EMAIL, cursor })).status).toBe(404)
  })

  it('a lookup by two values finds the few leads that have both', async () => {
    expect((await owner!.walk({ email: EMAIL, external_id: FEW, page_size: '10' })).ids).toEqual(owner!.few)
    expect((await owner!.walk({ external_id: FEW, email: EMAIL, status: 'OPEN' })).ids).toEqual(owner!.few)
  })

  it('a lookup by two values is refused when more than 1,000 leads have each of them, and so are further filters', async () => {
    const both = { email: EMAIL, external_id: ALL }
    expect(await owner!.get(both)).toMatchObject({
      status: 400,
      json: { non_field_errors: ['Each of these values has more than 1,000 leads. Look up only one of them.'] },
    })
    expect(await owner!.get({ email: EMAIL, status: 'OPEN' })).toMatchObject({
      status: 400,
      json: { non_field_errors: ['More than 200 leads match. Leave the other filters and the ordering out.'] },
    })
  })
})
