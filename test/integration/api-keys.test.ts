import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler } from '#functions/users/me.ts'
import { newApiKey, saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { client } from '#shared/platform/table/client.ts'
import { helped } from '#test/support/helped.ts'
import { suiteTable } from '#test/support/suite-world.ts'
import { request } from '#test/support/world.ts'

const OLDER = '0123456789abcdef0123456789abcdef01234567'
const KEY = newApiKey()
const NOBODYS = newApiKey()

suiteTable()
/** Commands that were sent to the table. */
let asked: string[] = []

beforeAll(async () => {
  await saveUser({
    ...{ id: 7, name: 'Seven', is_staff: false, default_lead_type: null, dnc_group: '7', lines: 1, webhook_secrets: ['whsec_AAAA'] },
    throttle: { sustained_per_day: 1e9, burst_per_minute: 1e9 },
  })
  for (const key of [OLDER, KEY]) await saveApiKey(key, { user: 7, created_time: 0, revoked_time: null })
  client.middlewareStack.add(
    (next, { commandName }) => {
      return (args) => {
        asked.push(`${commandName}`)
        return next(args)
      }
    },
    { step: 'initialize' },
  )
})
beforeEach(() => {
  asked = []
})

const ask = (key: string) => request(handler, { method: 'GET', path: '/api/users/me/', headers: { Authorization: `Token ${key}` } })

const mistyped = (key: string, place: number) => key.slice(0, place) + (key[place] === 'a' ? 'b' : 'a') + key.slice(place + 1)

describe('an API key', () => {
  it.each([
    ['a wrong character', mistyped(KEY, 12)],
    ['a wrong checksum', mistyped(KEY, 41)],
    ['a character too few', KEY.slice(0, -1)],
    ['nothing after the prefix', 'lok_'],
  ])('an API key with %s is refused without reading the table', async (_, key) => {
    expect(await ask(key)).toMatchObject({ status: 401, body: { detail: helped('Invalid token. …') } })
    expect(asked).toEqual([])
  })

  it('an API key that nobody owns is refused after one read of the table', async () => {
    expect(await ask(NOBODYS)).toMatchObject({ status: 401, body: { detail: helped('Invalid token. …') } })
    expect(asked).toEqual(['GetItemCommand'])
  })

  it.each([
    ['of the present form', KEY],
    ['of the older form without a prefix', OLDER],
  ])('an API key %s authenticates its user', async (_, key) => {
    expect(await ask(key)).toMatchObject({ status: 200, body: { id: 7 } })
  })
})
