import { beforeAll, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as users } from '#functions/users/list.ts'
import { components } from '#lib/openapi/schemas.ts'
import { getUser, saveUser } from '#shared/accounts/user-store.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { pause } from '#test/support/pauses.ts'
import { actingFor, STAFF, STAFF_KEY, saveStaff } from '#test/support/staff.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { unitsOf } from '#test/support/units.ts'
import { KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

suiteWorld()

beforeAll(saveStaff)

const ask = (query = '', headers: Record<string, string> = { Authorization: `Token ${STAFF_KEY}` }) =>
  request(users, { method: 'GET', path: `/api/users/${query}`, headers })

const listed = async (query = '') => {
  const { status, body } = await ask(query)
  expect(status).toBe(200)
  expect(v.safeParse(components.ListedUserPage, body).issues).toBeUndefined()
  return body
}

const FORBIDDEN = { status: 403, body: { detail: 'You do not have permission to perform this action.' } }

describe('the list of users', () => {
  it('the list of users has the newest first, with their pauses', async () => {
    await pause(OWNER, {})
    await pause(2, { only_existing_leads: true }, OTHER_KEY)
    expect(await listed()).toEqual({
      ...{ count: 3, next: null, previous: null },
      results: [
        { id: STAFF, name: 'Staff', is_staff: true, paused: false, paused_existing_leads: false },
        { id: 2, name: 'User 2', is_staff: false, paused: false, paused_existing_leads: expect.any(Boolean) },
        { id: OWNER, name: 'User 1', is_staff: false, paused: true, paused_existing_leads: false },
      ],
    })
  })

  it('the list of users has pages', async () => {
    const first = await listed('?page_size=2')
    expect(first.results.map(({ id }: { id: number }) => id)).toEqual([STAFF, 2])
    expect(first).toMatchObject({ count: 3, next: expect.stringContaining('page=2'), previous: null })
    expect((await listed('?page_size=2&page=2')).results).toMatchObject([{ id: OWNER }])
    expect(await ask('?page=9')).toMatchObject({ status: 404, body: { detail: 'Invalid page.' } })
  })

  it.each([
    ['user', [2, OWNER]],
    ['USER 1', [OWNER]],
    [`${STAFF}`, [STAFF]],
    ['nobody', []],
    ['', [STAFF, 2, OWNER]],
  ])('the list of users can be searched by name and id: %j', async (search, ids) => {
    const { results, count } = await listed(`?search=${encodeURIComponent(search)}`)
    expect(results.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect(count).toBe(ids.length)
  })

  it('the list of users is only for staff, and not for staff who act for a user', async () => {
    expect(await ask('', { Authorization: `Token ${KEY}` })).toMatchObject(FORBIDDEN)
    expect(await ask('?page=9', { Authorization: `Token ${KEY}` })).toMatchObject(FORBIDDEN)
    expect(await ask('', actingFor(OWNER))).toMatchObject(FORBIDDEN)
    expect(await ask('', { Authorization: 'Token unknown' })).toMatchObject({ status: 401 })
  })

  it('the list of users costs a read unit for two users, at most once in ten seconds, and one for two users of the page', async () => {
    const like = await getUser(OWNER)
    for (let id = 100; id < 200; id++) await saveUser({ ...like!, id, name: `More ${id}`, dnc_group: `${id}` })
    forgetConfiguration()
    await ask('?search=nobody')
    forgetConfiguration()
    const cold = await unitsOf(() => listed('?page_size=10'))
    const warm = await unitsOf(() => listed('?page_size=10&search=more'))
    process.stdout.write(`103 users, 10 on the page: ${cold.read} read units, then ${warm.read}\n`)
    // Reads of the key and of staff itself come on top.
    expect(cold.read).toBeLessThanOrEqual(65)
    expect(warm.read).toBeLessThanOrEqual(8)
  })
})
