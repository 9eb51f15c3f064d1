import { describe, expect, it } from '@jest/globals'
import { handler as health } from '#functions/health.ts'
import { handler as me } from '#functions/users/me.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { takeLine } from '#shared/calling/line-store.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { suiteTable } from '#test/support/suite-world.ts'

captureLog()
suiteTable()

describe('GET /api/users/me/', () => {
  it('GET /api/users/me/ shows the user with its lines and without secrets', async () => {
    const user = {
      id: 5,
      name: 'Ann',
      is_staff: true,
      default_lead_type: 4,
      dnc_group: 'shared',
      lines: 3,
      webhook_secrets: ['whsec_AAAA'],
    }
    await saveUser(user)
    await saveApiKey('key', { user: 5, created_time: 0, revoked_time: null })
    const ask = () => send(me, { method: 'GET', path: '/api/users/me/', headers: { Authorization: 'Token key' } })
    const told = {
      id: 5,
      name: 'Ann',
      is_staff: true,
      paused: false,
      paused_existing_leads: false,
      dnc_group: 'shared',
      default_lead_type: 4,
    }
    expect(await ask()).toMatchObject({ status: 200, json: { ...told, lines: { limit: 3, in_use: 0 } } })
    await transact([takeLine(5, '1-1', { group: 0, most: 3, fence: 0 })])
    const { json } = await ask()
    expect(json).toEqual({ ...told, lines: { limit: 3, in_use: 1 } })
  })

  it('GET /api/users/me/ answers 401 without a key', async () => {
    expect((await send(me, { method: 'GET', path: '/api/users/me/' })).status).toBe(401)
  })
})

describe('health', () => {
  const ask = () => send(health, { method: 'GET', path: '/api/health/' })

  it('the health check is ok only while the table answers', async () => {
    expect(await ask()).toMatchObject({ status: 200, json: { status: 'ok' } })
    process.env['TABLE_NAME'] = 'no-such-table'
    expect(await ask()).toMatchObject({ status: 503, json: { status: 'unavailable' } })
    process.env['TABLE_NAME'] = 'leads'
    expect((await ask()).status).toBe(200)
  })
})
