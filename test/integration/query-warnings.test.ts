import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { handler as lookUp } from '#functions/dnc/retrieve.ts'
import { handler as listLeadTypes } from '#functions/lead-types/list.ts'
import { handler as callsOfLead } from '#functions/leads/calls.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as listLeads } from '#functions/leads/list.ts'
import { handler as retrieve } from '#functions/leads/retrieve.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as me } from '#functions/users/me.ts'
import { handler as deliveries } from '#functions/webhooks/deliveries.ts'
import { handler as listSubscriptions } from '#functions/webhooks/list.ts'
import { request, startWorld } from '#test/support/world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

type Handler = Parameters<typeof request>[0]

const get = async (handler: Handler, path: string, parameters = {}) => {
  const { status, headers } = await request(handler, { method: 'GET', path, parameters })
  return { status, warnings: headers['X-Warnings'] }
}

const VERBOSE = 'unknown_parameter;field="verbose"'
const MISSING = { id: '2000000000' }

describe('an unknown query parameter of a refused request', () => {
  it.each<[string, number, Handler, string, Parameters<typeof request>[1]['parameters'], unknown]>([
    ['a wrong field', 400, create, 'POST', {}, { email: 'ann' }],
    ['a body that is not JSON', 400, create, 'POST', {}, '{'],
    ['a lead that is missing', 404, retrieve, 'GET', MISSING, undefined],
    ['an update of a missing lead', 404, update, 'PATCH', MISSING, {}],
    ['a path that is no number', 404, callsOfLead, 'GET', { id: 'x' }, undefined],
    ['a missing subscription', 404, deliveries, 'GET', MISSING, undefined],
  ])(
    'a refused request gets a warning of its unknown query parameter next to the error: %s',
    async (_, status, handler, method, parameters, body) => {
      const answer = await request(handler, { method, path: '/api/some/path/?verbose=1', parameters: parameters ?? {}, body })
      expect(answer).toMatchObject({ status, headers: { 'X-Warnings': VERBOSE } })
    },
  )

  it('a refused create gets a warning of its unknown query parameter each time it is repeated', async () => {
    const headers = { 'Idempotency-Key': 'refused' }
    const ask = () => request(create, { method: 'POST', path: '/api/leads/?verbose=1', headers, body: {} })
    for (const answer of [await ask(), await ask()]) expect(answer).toMatchObject({ status: 400, headers: { 'X-Warnings': VERBOSE } })
  })

  it('an unknown query parameter gets a warning when another parameter is wrong', async () => {
    expect(await get(listLeads, '/api/leads/?page=0&verbose=1')).toEqual({ status: 404, warnings: VERBOSE })
    expect(await get(listLeads, '/api/leads/?stauts=OPEN&lead_type=x')).toEqual({
      status: 400,
      warnings: 'unknown_parameter;field="stauts";hint="status"',
    })
    expect(await get(lookUp, '/api/dnc/?phone=2125550123')).toEqual({
      status: 400,
      warnings: 'unknown_parameter;field="phone";hint="phone_number"',
    })
  })
})

describe('the page size of a list', () => {
  it.each([
    ['abc', 50],
    ['0', 50],
    ['-5', 50],
    ['1.5', 50],
    ['', 50],
    ['1e2', 50],
    ['101', 100],
    ['9999', 100],
    ['9'.repeat(400), 100],
  ])('a page size that is not used as sent gets a warning with the used one: %s', async (size, used) => {
    for (const [handler, path, parameters] of [
      [listLeads, '/api/leads/', {}],
      [listLeadTypes, '/api/lead-types/', {}],
      [listSubscriptions, '/api/webhooks/', {}],
    ] as const) {
      expect(await get(handler, `${path}?page_size=${size}`, parameters)).toEqual({
        status: 200,
        warnings: `ignored_parameter;field="page_size";hint="${used}"`,
      })
    }
  })

  it.each(['1', '100', '+7', '%207%20', '0_7'])('a page size that is used as sent gets no warning: %s', async (size) => {
    expect(await get(listLeads, `/api/leads/?page_size=${size}`)).toEqual({ status: 200, warnings: undefined })
  })

  it('a page size is an unknown parameter on a route without pages', async () => {
    expect(await get(me, '/api/users/me/?page_size=0')).toEqual({ status: 200, warnings: 'unknown_parameter;field="page_size"' })
  })
})

describe("other services' names of list parameters", () => {
  it.each([
    ['limit', 'page_size'],
    ['Limit', 'page_size'],
    ['per_page', 'page_size'],
    ['offset', 'page'],
  ])("a list warns of another service's parameter, and names its own: %s", async (name, hint) => {
    const warnings = `unknown_parameter;field="${name}";hint="${hint}"`
    expect(await get(listLeads, `/api/leads/?${name}=1`)).toEqual({ status: 200, warnings })
    expect(await get(listSubscriptions, `/api/webhooks/?${name}=1`)).toEqual({ status: 200, warnings })
  })

  it("another service's list parameter gets no hint on a route without pages", async () => {
    expect(await get(me, '/api/users/me/?limit=1')).toEqual({ status: 200, warnings: 'unknown_parameter;field="limit"' })
  })
})

describe('parameters with names of properties', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'a query parameter named like a JavaScript property gets the warning of an unknown one: %s',
    async (name) => {
      const warnings = `unknown_parameter;field="${name}"`
      expect(await get(listLeads, `/api/leads/?${name}=1`)).toEqual({ status: 200, warnings })
      expect(await get(retrieve, `/api/leads/2000000000/?${name}=1`, MISSING)).toEqual({ status: 404, warnings })
    },
  )
})
