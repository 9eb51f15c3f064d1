import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as list } from '#functions/leads/list.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import * as keys from '#shared/platform/keys.ts'
import { deleteItem, getItem, updateItem } from '#shared/platform/table/table.ts'
import { addHole } from '#shared/positions/holes.ts'
import { lastPosition } from '#shared/positions/position-store.ts'
import { created } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { KEY, request } from '#test/support/world.ts'

const { tool } = opsWorld()

const newLead = async () => (await getLead((await created()).id))!

const set = (key: keys.Key, values: Record<string, unknown>) => {
  const entries = Object.entries(values)
  return updateItem(key, {
    UpdateExpression: `SET ${entries.map((_, index) => `#a${index} = :v${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(([name], index) => [`#a${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], index) => [`:v${index}`, value])),
  })
}

/** A lead that its owner's list does not show, and two later ones: their creation settles the positions before theirs. */
const unlisted = async () => {
  const lead = await newLead()
  for (const _ of [1, 2]) await newLead()
  await updateItem(keys.leadKey(lead.id), { UpdateExpression: 'REMOVE owner_block' })
  return lead
}

const check = async () => {
  const { code, out, err } = await tool().ops(['check', '--json', '--again-after', '0'])
  expect(err).toBe('')
  const findings: { kind: string; where: string }[] = JSON.parse(out).findings
  return { code, locations: findings.map(({ kind, where }) => `${kind} ${where}`) }
}

const repair = (...words: readonly string[]) => tool().ops(['repair', ...words])
const repairAll = () => repair('--all', '--again-after', '0')

/** The count of the first user's list, and the leads on its page. */
const listed = async () => {
  const { body } = await request(list, {
    method: 'GET',
    path: '/api/leads/',
    headers: { Authorization: `Token ${KEY}` },
  })
  return { count: body.count, ids: body.results.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b) }
}

describe('a position far beyond the end of a list', () => {
  const FAR = 40_000_000

  it('repair replaces a position far beyond the end of a list by one at the end', async () => {
    const [first, astray, last] = [await newLead(), await newLead(), await newLead()]
    await set(keys.leadKey(astray.id), { position: FAR, owner_block: keys.ownerBlock(1, keys.blockOf(FAR)) })
    const locations = [`counter-behind ${astray.id}`, `position-empty 1/${astray.position}-${astray.position}`]
    expect(await check()).toEqual({ code: 1, locations })
    expect(await repair('counter-behind', `${astray.id}`)).toMatchObject({
      code: 0,
      out: expect.stringContaining('to the end of the list'),
    })
    expect((await getLead(astray.id))!.position).toBe(last.position + 1)
    expect(await lastPosition(1)).toBe(last.position + 1)
    expect(await repairAll()).toMatchObject({ code: 0 })
    expect(await check()).toEqual({ code: 0, locations: [] })
    expect(await listed()).toEqual({ count: 3, ids: [first.id, astray.id, last.id] })
  })

  it('check reports a position far beyond the end of a list beside a counter that is behind', async () => {
    const [astray, last] = [await newLead(), await newLead()]
    await set(keys.leadKey(astray.id), { position: FAR, owner_block: keys.ownerBlock(1, keys.blockOf(FAR)) })
    await set(keys.positionsKey(1), { last: last.position - 3 })
    const { locations } = await check()
    const behind = [last, astray].map(({ id }) => `counter-behind ${id}`)
    expect(new Set(locations.filter((location) => location.startsWith('counter')))).toEqual(new Set(behind))
    expect(await repairAll()).toMatchObject({ code: 0 })
    expect(await check()).toEqual({ code: 0, locations: [] })
    expect((await getLead(last.id))!.position).toBe(last.position)
  })
})

describe('a position counter that is far ahead', () => {
  it('repair records holes for the positions below a position counter that is far ahead', async () => {
    const before = await lastPosition(1)
    const { count } = await listed()
    await set(keys.positionsKey(1), { last: 12_000 })
    expect(await check()).toEqual({
      code: 1,
      locations: [`position-empty 1/${before + 1}-12000`],
    })
    expect(await repairAll()).toMatchObject({ code: 0 })
    expect(await check()).toEqual({ code: 0, locations: [] })
    await newLead()
    expect((await listed()).count).toBe(count + 1)
  })
})

describe('the position of a lead that its list does not show', () => {
  it('repair records no hole at the position of a lead that its list does not show', async () => {
    const lead = await unlisted()
    const where = `1/${lead.position}-${lead.position}`
    expect(await repair('position-empty', where)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`Lead ${lead.id} has position`),
    })
    expect(await check()).toEqual({ code: 1, locations: [`lead-not-listed ${lead.id}`] })
    expect(await repairAll()).toMatchObject({ code: 0 })
    expect(await check()).toEqual({ code: 0, locations: [] })
  })

  it('repair records no hole at the position of an unlisted lead that cannot be read', async () => {
    const lead = await unlisted()
    await set(keys.leadKey(lead.id), { status: 'NONSENSE' })
    const where = `1/${lead.position}-${lead.position}`
    expect(await repair('position-empty', where)).toMatchObject({ code: 1, err: expect.stringContaining(`Lead ${lead.id} has position`) })
    expect((await check()).locations).not.toContain(`position-empty ${where}`)
    await set(keys.leadKey(lead.id), { status: 'OPEN' })
    expect(await repairAll()).toMatchObject({ code: 0 })
  })

  it('check reports a hole at the position of a lead', async () => {
    const lead = await unlisted()
    await addHole(1, lead.position)
    expect(await check()).toEqual({ code: 1, locations: [`lead-not-listed ${lead.id}`, `hole-taken ${lead.id}`] })
    expect(await repair('hole-taken', `${lead.id}`)).toMatchObject({ code: 0 })
    expect(await repairAll()).toMatchObject({ code: 0 })
    expect((await listed()).ids).toContain(lead.id)
  })
})

describe('a lost position counter', () => {
  it('repair restores a lost position counter from the last lead', async () => {
    const last = await newLead()
    const { holes } = (await getItem(v.object({ holes: v.set(v.number()) }), keys.holesKey(1, 5)))!
    expect(holes.size).toBe(1000)
    await deleteItem(keys.positionsKey(1))
    expect((await check()).locations).toContain(`counter-behind ${last.id}`)
    expect(await repairAll()).toMatchObject({ code: 0 })
    expect(await lastPosition(1)).toBe(last.position)
    expect((await getLead(last.id))!.position).toBe(last.position)
  })
})
