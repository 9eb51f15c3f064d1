import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { looseObject } from 'valibot'
import { positionsKey } from '#shared/platform/keys.ts'
import { getItem, updateItem } from '#shared/platform/table/table.ts'
import { openName } from '#shared/positions/open-positions.ts'
import { readPositionList } from '#shared/positions/position-list.ts'
import { recordHole, takePosition } from '#shared/positions/position-store.ts'
import { countPositions } from '#shared/positions/rules/pages.ts'
import { measurePages, tooDear } from '#test/simulation/page-cost.ts'
import { seedLeads } from '#test/simulation/seed.ts'
import { times } from '#test/support/lead-requests.ts'
import { created, listWorld, newOwner, newPhone, nextOwner } from '#test/support/list-owners.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'

listWorld()

const inTurn = async <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let index = 0; index < count; index++) results.push(await run(index))
  return results
}

describe('the list of leads', () => {
  it('the list of leads of an owner without leads is one empty page', async () => {
    const owner = await newOwner()
    expect(await owner.get()).toMatchObject({ status: 200, json: { count: 0, next: null, previous: null, results: [] } })
    expect(await owner.get({ page: 'last' })).toMatchObject({ status: 200, json: { results: [] } })
    for (const page of ['2', '0', '-1', 'x'])
      expect(await owner.get({ page })).toMatchObject({ status: 404, json: { detail: 'Invalid page.' } })
  })

  it('the list of leads shows whole leads, the newest first, 50 per page by default', async () => {
    const owner = await newOwner()
    const ids = (await inTurn(53, () => created(owner))).reverse()
    const first = await owner.get()
    expect(first.json).toMatchObject({ count: 53, previous: null })
    expect(first.json.next).toMatch(/\/api\/leads\/\?page=2$/)
    expect(first.json.results.map(({ id }: { id: number }) => id)).toEqual(ids.slice(0, 50))
    expect(first.json.results[0]).toMatchObject({ status: 'OPEN', phone_number: expect.any(String), metadata: expect.any(Object) })
    const last = await owner.get({ page: 'last' })
    expect(last.json.results.map(({ id }: { id: number }) => id)).toEqual(ids.slice(50))
    expect((await owner.walk({ page_size: '7' })).ids).toEqual(ids)
    expect((await owner.get({ page: '3' })).json).toEqual({ detail: 'Invalid page.' })
  })

  it('the list of leads shows no leads of another owner', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const id = await created(owner, { email: 'ann@example.com', external_id: 'x' })
    expect((await owner.walk()).ids).toEqual([id])
    expect((await other.walk()).ids).toEqual([])
    for (const query of [{ email: 'ann@example.com' }, { external_id: 'x' }]) expect((await other.get(query)).json.count).toBe(0)
  })
})

describe('list positions without a lead', () => {
  it('lost races leave list positions without a lead that do not affect counts and pages', async () => {
    const owner = await newOwner()
    const phone_number = newPhone()
    const race = () =>
      times(30, (index) => owner.post(index % 3 === 0 ? { phone_number, email: 'same@example.com' } : { phone_number: newPhone() }))
    const answers = (await inTurn(4, race)).flat()
    const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.id)
    expect(made).toHaveLength(81)
    for (const page_size of ['50', '9']) {
      const { ids, counts, pages } = await owner.walk({ page_size })
      expect(ids.toSorted()).toEqual(made.toSorted())
      expect(counts).toEqual([81])
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(Number(page_size))
    }
  })

  it('a list position without a lead is counted once, however often it is recorded', async () => {
    const owner = await newOwner()
    const before = await created(owner)
    const position = await takePosition(owner.id)
    const after = await created(owner)
    await times(5, () => recordHole(owner.id, position))
    await recordHole(owner.id, position)
    expect(await owner.walk({ page_size: '1' })).toMatchObject({ ids: [after, before], counts: [2] })
  })

  it('a list position that becomes a hole while the list is read does not count', async () => {
    const owner = await newOwner()
    const before = await created(owner)
    const position = await takePosition(owner.id)
    let isRecorded = false
    const recordOnce = async (command: unknown) => {
      if (isRecorded || !(command instanceof QueryCommand && command.input.IndexName === 'by_owner')) return
      isRecorded = true
      await recordHole(owner.id, position)
    }
    expect(await beforeEachSend(recordOnce, () => readPositionList(owner.id).then(countPositions))).toBe(1)
    expect(isRecorded).toBe(true)
    expect(await owner.walk()).toMatchObject({ ids: [before], counts: [1] })
  })

  it('list positions do not affect the list when the create that took them died', async () => {
    const owner = await newOwner()
    const before = await created(owner)
    const abandoned = await times(3, () => takePosition(owner.id))
    expect(await owner.walk()).toMatchObject({ ids: [before], counts: [1] })
    const after = await inTurn(3, () => created(owner))
    expect(await owner.walk({ page_size: '2' })).toMatchObject({ ids: [...after.toReversed(), before], counts: [4] })
    await recordHole(owner.id, abandoned[1]!)
    expect(await owner.walk({ page_size: '2' })).toMatchObject({ ids: [...after.toReversed(), before], counts: [4] })
  })

  it('list positions without a lead become holes an hour after they were abandoned', async () => {
    const owner = await newOwner()
    const before = await created(owner)
    const [, position] = await times(2, () => takePosition(owner.id))
    await recordHole(owner.id, position!)
    const item = (await getItem(looseObject({}), positionsKey(owner.id))) ?? {}
    const open = Object.keys(item).filter((name) => name.startsWith('open:'))
    await updateItem(positionsKey(owner.id), {
      UpdateExpression: `SET #aged = :first REMOVE ${open.map((_, index) => `#o${index}`).join(', ')}`,
      ExpressionAttributeNames: {
        '#aged': openName(Date.now() - 2 * 3_600_000, 2),
        ...Object.fromEntries(open.map((name, index) => [`#o${index}`, name])),
      },
      ExpressionAttributeValues: { ':first': position! - 1 },
    })
    for (let reads = 0; reads < 3; reads++) expect(await owner.walk()).toMatchObject({ ids: [before], counts: [1] })
    const settled = (await getItem(looseObject({}), positionsKey(owner.id))) ?? {}
    expect(Object.keys(settled).sort()).toEqual(['last', 'pk', 'sk'])
    const after = await created(owner)
    expect(await owner.walk()).toMatchObject({ ids: [after, before], counts: [2] })
  })
})

describe('a list that grows while it is paged through', () => {
  it('a list that grows while it is paged through shows every lead that was there, and none twice on a page', async () => {
    const owner = await newOwner()
    const there = await times(60, () => created(owner))
    const phone_number = newPhone()
    const growing = times(60, (index) =>
      owner.post(index % 4 === 0 ? { phone_number, email: 'a@example.com' } : { phone_number: newPhone() }),
    )
    const { ids, pages } = await owner.walk({ page_size: '10' })
    expect(ids).toEqual(expect.arrayContaining(there))
    for (const page of pages) expect(new Set(page.map(({ id }) => id)).size).toBe(page.length)
    const made = (await growing).filter(({ status }) => status === 201).map(({ json }) => json.id)
    const after = await owner.walk({ page_size: '10' })
    expect(after.ids.toSorted()).toEqual([...there, ...made].toSorted())
    expect(after.counts).toEqual([there.length + made.length])
  })

  it('the list of leads shows a lead on the first page as soon as its create is acknowledged', async () => {
    const owner = await newOwner()
    await times(20, async () => {
      const id = await created(owner)
      const { json } = await owner.get()
      expect(json.results.map((lead: { id: number }) => lead.id)).toContain(id)
    })
  })
})

describe('concurrent creates', () => {
  it('concurrent creates take one list position each, and leave no gap', async () => {
    const owner = await newOwner()
    const ids = await times(40, () => created(owner))
    const last = await created(owner)
    const { json } = await owner.get({ page_size: '100' })
    expect(json.count).toBe(41)
    expect(json.results[0].id).toBe(last)
    expect(new Set([...ids, last]).size).toBe(41)
    const positions = await readPositionList(owner.id)
    expect(positions.last).toBe(41)
  })
})

describe('the cost of a page', () => {
  it.each([0, 40])(
    'a page costs the same at every depth, and little more than its leads, when %i positions have no lead',
    async (holes) => {
      const owner = nextOwner()
      await seedLeads({ owner, leads: 5000, holes })
      const costs = await measurePages(owner, [1, 20, 60, 99], 50)
      for (const { leads } of costs) expect(leads).toBe(50)
      expect({ costs, faults: tooDear(costs) }).toEqual({ costs, faults: [] })
    },
  )
})

describe('a page of leads with much metadata', () => {
  it('a page of leads with much metadata is refused with advice to ask for a smaller page', async () => {
    const owner = await newOwner()
    // Each quotation mark takes two bytes, and four in the text of JSON that Lambda hands over.
    for (let made = 0; made < 40; made++) await created(owner, { metadata: { text: '"'.repeat(50_000) } })
    expect(await owner.get({ page_size: '40' })).toMatchObject({ status: 400, json: { page_size: [expect.stringContaining('smaller')] } })
    expect((await owner.get({ page_size: '20' })).json.results).toHaveLength(20)
  })
})
