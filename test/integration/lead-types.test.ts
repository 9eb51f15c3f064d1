import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as list } from '#functions/lead-types/list.ts'
import { handler as retrieve } from '#functions/lead-types/retrieve.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { send } from '#test/support/api-event.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { KEY, OTHER_KEY, OWNER } from '#test/support/world.ts'

const FIELDS = [
  { key: 'budget', label: 'Budget', helpText: 'In dollars.', type: 'number', required: true },
  { key: 'first_name', label: 'First name', helpText: '', type: 'string', required: false },
]

suiteWorld()

/** User 1 has the lead types 4 to 8, user 2 has 4 and 9. */
beforeAll(async () => {
  for (const [id, name] of [
    [5, 'Solar California'],
    [6, 'solar Nevada'],
    [7, 'Versicherung für Ärzte'],
    [8, 'Roofs, California'],
  ] as const)
    await saveLeadType(sampleLeadType({ id, owner: OWNER, name, lead_metadata_fields: id === 5 ? FIELDS : [] }))
  await saveLeadType(sampleLeadType({ id: 9, owner: 2, name: 'Solar of somebody else' }))
})

const get = (query: Record<string, string> = {}, key = KEY) =>
  send(list, { method: 'GET', path: '/api/lead-types/', query, headers: { Authorization: `Token ${key}` } })
const ids = async (query: Record<string, string> = {}, key = KEY): Promise<number[]> =>
  (await get(query, key)).json.results.map(({ id }: { id: number }) => id)
const one = (id: string, key = KEY) =>
  send(retrieve, { method: 'GET', path: `/api/lead-types/${id}/`, params: { id }, headers: { Authorization: `Token ${key}` } })

describe('the list of lead types', () => {
  it('the list of lead types shows only the owner’s lead types, the newest first', async () => {
    expect(await ids()).toEqual([8, 7, 6, 5, 4])
    expect(await ids({}, OTHER_KEY)).toEqual([9, 4])
  })

  it('the list of lead types shows ids, names and metadata fields, and no configuration', async () => {
    const { status, json } = await get({ search: 'solar cal' })
    expect(status).toBe(200)
    expect(json).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [{ id: 5, name: 'Solar California', lead_metadata_fields: FIELDS }],
    })
  })

  it.each([
    ['solar', [6, 5]],
    ['SOLAR', [6, 5]],
    ['california', [8, 5]],
    ['ÄRZTE', [7]],
    ['olar nev', [6]],
    ['california solar', [5]],
    ['roofs,california', [8]],
    ['', [8, 7, 6, 5, 4]],
    ['  ', [8, 7, 6, 5, 4]],
    ['.*', []],
    ['somebody', []],
    ['\0', []],
  ])('the list of lead types searched for %j contains %j', async (search, expected) => {
    expect(await ids({ search })).toEqual(expected)
  })

  it('the list of lead types comes in pages', async () => {
    const { json } = await get({ page_size: '1', search: 'california', page: '2' })
    expect(json).toMatchObject({ count: 2, next: null, results: [{ id: 5 }] })
    expect(json.previous).toMatch(/\/api\/lead-types\/\?page_size=1&search=california$/)
    expect(await get({ page: '2' })).toMatchObject({ status: 404, json: { detail: 'Invalid page.' } })
    expect(await get({ search: 'nothing' })).toMatchObject({ status: 200, json: { count: 0, results: [] } })
  })
})

describe('a lead type', () => {
  it('a lead type is shown to its owner', async () => {
    expect(await one('5')).toMatchObject({ status: 200, json: { id: 5, name: 'Solar California', lead_metadata_fields: FIELDS } })
  })

  it('a lead type of another user is answered like a missing one', async () => {
    for (const id of ['9', '99', '0', '-1', 'x', '5.0', '99999999999']) {
      expect(await one(id)).toMatchObject({ status: 404, json: { detail: 'Not found.' } })
    }
    expect((await one('5', OTHER_KEY)).status).toBe(404)
  })
})
