import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Route, routes } from '#lib/routes.ts'
import { newUrl } from '#test/support/ingestion.ts'
import { actingFor, STAFF, STAFF_KEY, saveStaff } from '#test/support/staff.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

suiteWorld()

const MISSING = 2_000_000_000
const A_UUID = '5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11'
let ingestionUrl = ''

beforeAll(async () => {
  await saveStaff()
  ingestionUrl = await newUrl({ owner: 2, token_required: true })
})

const asked: readonly Route[] = routes.filter(({ auth }) => auth === 'token' || auth === 'ingestion')

/** Parameters of every path. The order of the checks makes their values unimportant, except for the id of an ingestion URL. */
const parametersOf = ({ auth, path }: Route): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      if (auth === 'ingestion') return [name, ingestionUrl]
      return [name, name === 'id' ? '1' : A_UUID]
    }),
  )

const ask = async (route: Route, headers: Record<string, string>) => {
  const parameters = parametersOf(route)
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name]!)
  const { handler } = await import(`../../functions/${route.function}.ts`)
  return request(handler, { method: route.method, path, parameters, headers, body: { phone_number: '+12125550199' } })
}

const FORBIDDEN = { status: 403, body: { detail: 'You do not have permission to perform this action.' } }

const named = asked.map((route): [string, Route] => [`${route.method} ${route.path}`, route])

describe('a key without the rights of staff', () => {
  it.each(named)('learns nothing from X-Act-As-User: %s', async (_, route) => {
    const existing = await ask(route, actingFor(OWNER, OTHER_KEY))
    expect(existing).toMatchObject(FORBIDDEN)
    for (const id of [2, STAFF, MISSING, 'x', '']) expect(await ask(route, actingFor(id, OTHER_KEY))).toEqual(existing)
  })

  it('learns nothing from X-Act-As-User, whatever the header holds', async () => {
    const me: Route = asked.find(({ path }) => path === '/api/users/me/')!
    const existing = await ask(me, actingFor(OWNER, OTHER_KEY))
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.nat().map(String), fc.string({ unit: 'binary-ascii' })), async (id) => {
        expect(await ask(me, actingFor(id, OTHER_KEY))).toEqual(existing)
      }),
    )
  })
})

describe('a key that is unknown', () => {
  it.each(named)('gets 401 with X-Act-As-User: %s', async (_, route) => {
    expect(await ask(route, actingFor(OWNER, 'unknown'))).toMatchObject({ status: 401 })
  })
})

describe('a key of staff', () => {
  it.each(named)('gets 404 for a user who does not exist: %s', async (_, route) => {
    expect(await ask(route, actingFor(MISSING, STAFF_KEY))).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
  })
})
