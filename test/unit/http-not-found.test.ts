import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler } from '#functions/not-found.ts'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { helped } from '#test/support/helped.ts'
import { suiteTable } from '#test/support/suite-world.ts'

const ROUTES = [
  'GET /api/leads/?page&page_size',
  'POST /api/leads/',
  'GET /api/leads/{id}/',
  'PATCH /api/leads/{id}/',
  'POST /api/leads/bulk-create/ token',
  'POST /api/agents/calls/{call_id}/events/ agent',
]

captureLog()
suiteTable()
beforeAll(async () => {
  process.env['ROUTES'] = ROUTES.join(',')
  await saveApiKey('live', { user: 3, created_time: 0, revoked_time: null })
  await saveApiKey('revoked', { user: 3, created_time: 0, revoked_time: 1 })
})

const ask = (method: string, path: string, key?: string, query = {}) =>
  send(handler, {
    method,
    path,
    query,
    resource: '/{proxy+}',
    headers: key ? { Authorization: `Token ${key}` } : {},
    body: 'not even JSON',
  })

describe('a request that no route serves', () => {
  it.each([
    '/',
    '/api/',
    '/api/lead/',
    '/api/leads//',
    '/api//leads/',
    '/api/leads/1/calls/',
    '/api/agents/calls//events/',
    '/%',
    '/api/leads/1//',
  ])('a path without a route gets 404 with and without a valid token: %s', async (path) => {
    for (const key of [undefined, 'live', 'wrong']) {
      expect(await ask('GET', path, key)).toMatchObject({ status: 404, json: { detail: helped('Not found. …') } })
    }
  })

  const DOCS = 'The page /api/docs/ lists all paths.'
  it.each([
    ['/leads/', 'Did you mean /api/leads/?'],
    ['/leads/17', 'Did you mean /api/leads/17/?'],
    ['/api/api/leads/', 'Did you mean /api/leads/?'],
    ['/API/Leads/', 'Did you mean /api/leads/?'],
    ['/api/lead/', 'Did you mean /api/leads/?'],
    ['/api//leads/', 'Did you mean /api/leads/?'],
    ['/api/agent/calls/9-1/event/', 'Did you mean /api/agents/calls/9-1/events/?'],
    ['/api/leads//', 'The value of {id} is missing in /api/leads/{id}/.'],
    ['/api/agents/calls//events/', 'The value of {call_id} is missing in /api/agents/calls/{call_id}/events/.'],
    ['/api/nothing/', DOCS],
    ['/api/leads/1/2/', DOCS],
    ['/v1/contacts/', 'Paths begin with /api/. The page /api/docs/ lists all of them.'],
    ['/', 'Paths begin with /api/. The page /api/docs/ lists all of them.'],
    [`/api/${'x'.repeat(100_000)}/`, DOCS],
    [`/api/${'/'.repeat(5000)}`, DOCS],
  ])('a path without a route gets a 404 that names the probable one (%#)', async (path, help) => {
    expect(await ask('GET', path)).toMatchObject({ status: 404, json: { detail: `Not found. ${help}` } })
  })

  it.each([
    ['PUT', '/api/leads/', 'GET, POST, HEAD, OPTIONS'],
    ['TRACE', '/api/leads/', 'GET, POST, HEAD, OPTIONS'],
    ['DELETE', '/api/leads', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/api/leads/1/', 'GET, PATCH, HEAD, OPTIONS'],
    ['DELETE', '/api/leads/no-number', 'GET, PATCH, HEAD, OPTIONS'],
    ['GET', '/api/leads/bulk-create/', 'POST, OPTIONS'],
  ])('a method without a route gets 405 with a valid token, and 401 otherwise: %s %s', async (method, path, allow) => {
    expect(await ask(method, path, 'live')).toMatchObject({
      status: 405,
      headers: { Allow: allow },
      json: { detail: `Method "${method}" not allowed. Allowed here: ${allow}.` },
    })
    expect(await ask(method, path)).toMatchObject({
      status: 401,
      json: { detail: helped('Authentication credentials were not provided. …') },
    })
    expect(await ask(method, path, 'wrong')).toMatchObject({ status: 401, json: { detail: helped('Invalid token. …') } })
    expect(await ask(method, path, 'revoked')).toMatchObject({ status: 401, json: { detail: helped('Invalid token. …') } })
  })

  it('an OPTIONS request to a known path gets the allowed methods', async () => {
    expect(await ask('OPTIONS', '/api/leads/', 'live')).toMatchObject({ status: 204, headers: { Allow: 'GET, POST, HEAD, OPTIONS' } })
    expect(await ask('OPTIONS', '/api/leads/')).toMatchObject({ status: 401 })
    expect(await ask('OPTIONS', '/api/nothing/', 'live')).toMatchObject({ status: 404 })
  })

  it('a method without a route gets a warning of the parameters that no method of the path takes', async () => {
    const query = { page: '2', pagesize: '5', dry_run: '1', constructor: 'x' }
    const warnings = ['pagesize";hint="page_size', 'dry_run', 'constructor'].map((name) => `unknown_parameter;field="${name}"`).join(', ')
    for (const [method, status] of [
      ['DELETE', 405],
      ['OPTIONS', 204],
    ] as const)
      expect(await ask(method, '/api/leads/', 'live', query)).toMatchObject({ status, headers: { 'X-Warnings': warnings } })
    expect((await ask('GET', '/api/nothing/', 'live', query)).headers).not.toHaveProperty('X-Warnings')
  })

  it('a method without a route needs no token on a path that needs none', async () => {
    expect(await ask('GET', '/api/agents/calls/1-1/events/')).toMatchObject({ status: 405, headers: { Allow: 'POST, OPTIONS' } })
  })
})
