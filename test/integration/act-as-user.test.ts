import { beforeAll, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as list } from '#functions/leads/list.ts'
import { handler as retrieve } from '#functions/leads/retrieve.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as serviceState } from '#functions/service-state.ts'
import { handler as me } from '#functions/users/me.ts'
import { handler as pauseCalls } from '#functions/users/pause-calls.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { getUser, saveUser } from '#shared/accounts/user-store.ts'
import { getLines } from '#shared/calling/line-store.ts'
import { throttleKey } from '#shared/platform/keys.ts'
import { getItem } from '#shared/platform/table/table.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkUpdated, bulkUpdates } from '#test/support/bulk-updates.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { created, leadNow, newPhone } from '#test/support/lead-requests.ts'
import { actingFor, STAFF, STAFF_KEY, saveStaff } from '#test/support/staff.ts'
import { KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const { world } = callWorld()
const { queued, work } = bulkUpdates(world)
const log = captureLog()

beforeAll(saveStaff)

const FORBIDDEN = { status: 403, body: { detail: 'You do not have permission to perform this action.' } }
const NOT_FOUND = { status: 404, body: { detail: 'Not found.' } }

const meAs = (headers: Record<string, string>) => request(me, { method: 'GET', path: '/api/users/me/', headers })

const createAs = (headers: Record<string, string>, body: Record<string, unknown> = {}) =>
  request(create, {
    method: 'POST',
    path: '/api/leads/',
    headers,
    body: { phone_number: newPhone(), timezone: 'America/New_York', ...body },
  })

const logged = (message: string) => log.map((line) => JSON.parse(line)).filter((line) => line.message === message)

describe('a staff member who acts for a user', () => {
  it('a request is handled as if the user had sent it', async () => {
    const { body: lead } = await createAs(actingFor(OWNER))
    expect(await leadNow(lead.id)).toMatchObject({ id: lead.id, lead_type: 4 })
    const { body: page } = await request(list, { method: 'GET', path: '/api/leads/?page_size=1', headers: actingFor(OWNER) })
    expect(page.results[0].id).toBe(lead.id)
    const path = { path: `/api/leads/${lead.id}/`, parameters: { id: `${lead.id}` } }
    expect(await request(retrieve, { method: 'GET', ...path, headers: actingFor(2) })).toMatchObject(NOT_FOUND)
    expect(await request(retrieve, { method: 'GET', ...path, headers: actingFor(STAFF) })).toMatchObject(NOT_FOUND)
  })

  it('a request has no rights of staff, even for a user who is staff', async () => {
    expect(await meAs(actingFor(OWNER))).toMatchObject({ status: 200, body: { id: OWNER, is_staff: false } })
    expect(await meAs(actingFor(STAFF))).toMatchObject({ status: 200, body: { id: STAFF, is_staff: false } })
    expect(await meAs({ Authorization: `Token ${STAFF_KEY}` })).toMatchObject({ status: 200, body: { id: STAFF, is_staff: true } })
    expect(await request(serviceState, { method: 'GET', path: '/api/health/details/', headers: actingFor(STAFF) })).toMatchObject(FORBIDDEN)
    const pause = (user: number) => ({ method: 'POST', path: `/api/users/${user}/pause-calls/`, parameters: { id: `${user}` } })
    expect(await request(pauseCalls, { ...pause(2), headers: actingFor(OWNER), body: {} })).toMatchObject(FORBIDDEN)
    expect(await request(pauseCalls, { ...pause(2), headers: actingFor(2), body: {} })).toMatchObject({ status: 202 })
    expect((await getLines(2)).paused).toBe(true)
  })

  it.each(['', ' ', '0', '-1', '1.5', '01', '1e3', 'me', '2147483648', '1, 2', '1 2'])(
    'the malformed id %j gets 400, which says what an id is',
    async (id) => {
      expect(await meAs(actingFor(id))).toMatchObject({
        status: 400,
        body: { detail: 'X-Act-As-User must be the id of a user: a whole number from 1 to 2147483647.' },
      })
    },
  )

  it('an unknown user gets 404', async () => {
    expect(await meAs(actingFor(2_000_000_000))).toMatchObject(NOT_FOUND)
  })

  it('a staff member has the allowance of staff, and leaves that of the user alone', async () => {
    const like = await getUser(OWNER)
    await saveUser({ ...like!, id: 40, dnc_group: '40', throttle: { sustained_per_day: 0, burst_per_minute: 0 } })
    const account = () => getItem(v.unknown(), throttleKey(40))
    expect(await account()).toBeUndefined()
    for (let turn = 0; turn < 200; turn++) expect((await meAs(actingFor(40))).status).toBe(200)
    expect(await account()).toBeUndefined()
  })

  it('an Idempotency-Key of a staff member is unrelated to the same key of the user and of other staff', async () => {
    await saveUser({ ...(await getUser(STAFF))!, id: 34, name: 'More staff', dnc_group: '34' })
    await saveApiKey('a-key-of-more-staff', { user: 34, created_time: 0, revoked_time: null })
    const body = { phone_number: newPhone() }
    const once = async (headers: Record<string, string>) => {
      const answer = await createAs({ ...headers, 'Idempotency-Key': 'one-key' }, body)
      return { id: answer.body.id, isReplay: answer.headers['Idempotent-Replayed'] === 'true' }
    }
    const senders = [{ Authorization: `Token ${KEY}` }, actingFor(OWNER), actingFor(OWNER, 'a-key-of-more-staff'), actingFor(2)]
    const first = []
    for (const sender of senders) first.push(await once(sender))
    expect(first.map(({ isReplay }) => isReplay)).toEqual([false, false, false, false])
    expect(new Set(first.map(({ id }) => id)).size).toBe(4)
    for (const [place, sender] of senders.entries()) expect(await once(sender)).toEqual({ id: first[place]!.id, isReplay: true })
  })

  it('the log has the ids of both', async () => {
    await meAs(actingFor(OWNER))
    await meAs({ Authorization: `Token ${KEY}` })
    const [acted, own] = logged('request')
    expect(acted).toMatchObject({ user: OWNER, staff: STAFF })
    expect(own).not.toHaveProperty('staff')
  })

  it('the record of a lifted stop names the staff member, also after a bulk update', async () => {
    const lead = await created({ call_dnc: true })
    const other = await created({ call_dnc: true })
    const path = { path: `/api/leads/${lead.id}/`, parameters: { id: `${lead.id}` } }
    await request(update, { method: 'PATCH', ...path, headers: actingFor(OWNER), body: { call_dnc: false } })
    await queued()
    const bulk = { method: 'PATCH', path: '/api/leads/bulk-update/', headers: actingFor(OWNER) }
    await request(bulkUpdate, {
      ...bulk,
      body: { leads: [{ id: other.id, call_dnc: false }] },
    })
    await work()
    const records = logged('A lead may be contacted again.')
    expect(records).toMatchObject([
      { lead: lead.id, user: OWNER, staff: STAFF },
      { lead: other.id, user: OWNER, staff: STAFF },
    ])
    log.length = 0
    await bulkUpdated({ leads: [{ id: other.id, call_dnc: true }] })
    await bulkUpdated({ leads: [{ id: other.id, call_dnc: false }] })
    await work()
    expect(logged('A lead may be contacted again.').some((line) => 'staff' in line)).toBe(false)
  })
})

describe('a user who is not staff', () => {
  it('X-Act-As-User is refused, whatever it holds', async () => {
    for (const id of [OWNER, 2, STAFF, 2_000_000_000, '', 'x']) expect(await meAs(actingFor(id, OTHER_KEY))).toMatchObject(FORBIDDEN)
  })
})
