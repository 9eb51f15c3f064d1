import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as pauseCalls } from '#functions/users/pause-calls.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { changeUserSettings, saveUser } from '#shared/accounts/user-store.ts'
import { getLines } from '#shared/calling/line-store.ts'
import { apiKeyKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { forgetConfiguration } from '#test/support/cache-clock.ts'
import { helped } from '#test/support/helped.ts'
import { EXISTING, pause, pausedWorld, unpause } from '#test/support/pauses.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const STAFF_KEY = 'a-key-of-the-staff'

pausedWorld()

beforeAll(async () => {
  const staff = { id: 33, name: 'Staff', is_staff: true, default_lead_type: null, dnc_group: '33', webhook_secrets: ['whsec_AAAA'] }
  await saveUser({ ...staff, throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 } })
  await saveApiKey(STAFF_KEY, { user: 33, created_time: 0, revoked_time: null })
})

describe('staff permission', () => {
  const user = { name: 'Former', default_lead_type: null, webhook_secrets: ['whsec_AAAA'] }

  it('staff permission belongs to the user, not to the API key', async () => {
    await saveUser({ ...user, id: 34, dnc_group: '34' })
    await saveApiKey('a-key-of-version-1.0.2', { user: 34, created_time: 0, revoked_time: null })
    const sha256 = createHash('sha256').update('a-key-of-version-1.0.2').digest('hex')
    await updateItem(apiKeyKey(sha256), { UpdateExpression: 'SET is_staff = :true', ExpressionAttributeValues: { ':true': true } })
    expect((await pause(OWNER, {}, 'a-key-of-version-1.0.2')).status).toBe(403)
  })

  it('staff permission ends ten seconds after it is revoked', async () => {
    await saveUser({ ...user, id: 35, dnc_group: '35', is_staff: true })
    await saveApiKey('a-key-of-a-former', { user: 35, created_time: 0, revoked_time: null })
    expect((await unpause(OWNER, {}, 'a-key-of-a-former')).status).toBe(202)
    await changeUserSettings(35, { is_staff: false })
    forgetConfiguration()
    expect((await unpause(OWNER, {}, 'a-key-of-a-former')).status).toBe(403)
  })
})

describe('a request to pause or unpause calls', () => {
  const FORBIDDEN = { status: 403, body: { detail: 'You do not have permission to perform this action.' } }

  it.each([
    ['pause', pause],
    ['unpause', unpause],
  ])("a request needs staff permission to change another user's pause: %s", async (_, act) => {
    for (const id of [OWNER, 2_000_000_000, '0', '99999999999999999999']) expect(await act(id, {}, OTHER_KEY)).toMatchObject(FORBIDDEN)
    expect(await act(OWNER, { only_existing_leads: 'x' }, OTHER_KEY)).toMatchObject(FORBIDDEN)
    expect(await act(OWNER, {}, STAFF_KEY)).toMatchObject({ status: 202 })
    expect(await act(2_000_000_000, {}, STAFF_KEY)).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    for (const id of ['me', '-1', '1.5', '']) expect(await act(id, {}, STAFF_KEY)).toMatchObject({ status: 404 })
    expect((await getLines(2)).paused).toBe(false)
  })

  it('a pause with an invalid only_existing_leads is refused and pauses nothing', async () => {
    expect(await pause(OWNER, { only_existing_leads: 'x' })).toMatchObject({
      status: 400,
      body: { only_existing_leads: [helped('Must be a valid boolean. …')] },
    })
    expect(await pause(OWNER, { only_existing_leads: null })).toMatchObject({
      body: { only_existing_leads: ['This field may not be null.'] },
    })
    expect((await getLines(OWNER)).paused).toBe(false)
  })

  it('a pause and its end accept a form', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const form = { method: 'POST', path: '/api/users/1/pause-calls/', parameters: { id: '1' }, headers, body: 'only_existing_leads=on' }
    expect(await request(pauseCalls, form)).toMatchObject({ status: 202, body: EXISTING })
  })
})
