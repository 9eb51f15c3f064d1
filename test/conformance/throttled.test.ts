import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as list } from '#functions/leads/list.ts'
import { handler as retrieve } from '#functions/leads/retrieve.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { consumedUnits } from '#shared/platform/table/consumed-units.ts'
import { request, startWorld } from '#test/support/world.ts'

/** A user for this test, with two requests a day. */
const USER = { id: 77, name: 'Throttled', is_staff: false, default_lead_type: null, dnc_group: '77', lines: 1, webhook_secrets: [] }
const ALLOWED = 2

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
  await saveUser({ ...USER, throttle: { sustained_per_day: ALLOWED, burst_per_minute: 600 } })
  await saveApiKey('key-77', { user: 77, created_time: 0, revoked_time: null })
})
afterAll(() => world?.stop())

const asks = [
  [list, { method: 'GET', path: '/api/leads/' }],
  [retrieve, { method: 'GET', path: '/api/leads/1/', parameters: { id: '1' } }],
  [create, { method: 'POST', path: '/api/leads/', body: { phone_number: '+12025550101' } }],
  [create, { method: 'POST', path: '/api/leads/', body: '{' }],
  [create, { method: 'POST', path: '/api/leads/', body: {}, headers: { 'Idempotency-Key': 'a' } }],
  [create, { method: 'POST', path: '/api/leads/', body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  [bulkCreate, { method: 'POST', path: '/api/leads/bulk-create/', body: { leads: [{ phone_number: '+12025550101' }] } }],
] as const

const ask = ([handler, call]: (typeof asks)[number], key: string) =>
  request(handler, { ...call, headers: { ...('headers' in call && call.headers), Authorization: `Token ${key}` } })

it('a throttled user gets the same 429 for every request, and nothing is written', async () => {
  for (let turn = 0; turn < ALLOWED; turn++) expect((await ask(asks[0], 'key-77')).status).toBe(200)
  const before = consumedUnits.write
  for (const each of asks) {
    const { status, headers, body } = await ask(each, 'key-77')
    const seconds = Number(headers['Retry-After'])
    expect({ status, body }).toEqual({ status: 429, body: { detail: `Request was throttled. Expected available in ${seconds} seconds.` } })
    expect(headers).toEqual({
      ...{ 'Cache-Control': 'no-store', 'Content-Type': 'application/json' },
      ...{ 'Retry-After': `${seconds}`, 'X-Request-Id': 'request-1' },
    })
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(seconds).toBeLessThanOrEqual(86_400)
  }
  expect(consumedUnits.write).toBe(before)
})

it('a request without credentials writes nothing', async () => {
  const before = consumedUnits.write
  for (const each of asks) expect((await ask(each, 'nobody')).status).toBe(401)
  expect(consumedUnits.write).toBe(before)
})
