import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { Dictionary, fields } from '#shared/http/fields/field.ts'
import { integerField } from '#shared/http/fields/number.ts'
import { charField } from '#shared/http/fields/text.ts'
import { IdParams } from '#shared/http/path-id.ts'
import { created, ok } from '#shared/http/reply.ts'
import { invalid, notFound } from '#shared/platform/values/errors.ts'
import { REQUEST_ID, send } from '#test/support/api-event.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { helped } from '#test/support/helped.ts'
import { suiteKey } from '#test/support/suite-key.ts'

const lines = captureLog()
suiteKey()
const Authorization = 'Token good'

const Body = v.pipe(Dictionary, fields({ name: charField({ maxLength: 5 }), size: v.optional(integerField({ min: 1 })) }))
const echo = api({ auth: 'token', body: Body }, async ({ user, body }) => created({ user: user.id, ...body }))

describe('credentials', () => {
  const MISSING = helped('Authentication credentials were not provided. …')
  it.each([
    [undefined, MISSING],
    ['', MISSING],
    ['Basic good', MISSING],
    ['good', MISSING],
    ['Tokengood', MISSING],
    ['Token', helped('Invalid token header. No credentials provided. …')],
    ['Token ', helped('Invalid token header. No credentials provided. …')],
    ['Token go od', helped('Invalid token header. Token string should not contain spaces. …')],
    ['Token a b c', helped('Invalid token header. Token string should not contain spaces. …')],
    ['Token gö', helped('Invalid token header. Token string should not contain invalid characters. …')],
    ['Token bad', helped('Invalid token. …')],
    ['Token GOOD', helped('Invalid token. …')],
  ])('credentials are refused in the header %j', async (header, detail) => {
    const answer = await send(echo, { headers: header === undefined ? {} : { Authorization: header }, body: '{' })
    expect(answer).toEqual({
      status: 401,
      headers: {
        ...{ 'Cache-Control': 'no-store', 'Content-Type': 'application/json' },
        ...{ 'WWW-Authenticate': 'Token', 'X-Request-Id': REQUEST_ID },
      },
      json: { detail },
    })
  })

  const RIGHT = 'Send the header "Authorization: Token <API_KEY>".'
  it.each([
    [undefined, `Authentication credentials were not provided. The header "Authorization" is missing. ${RIGHT}`],
    ['lok_secret', `Authentication credentials were not provided. The header "Authorization" has no scheme before the key. ${RIGHT}`],
    ['Basic c2VjcmV0', `Authentication credentials were not provided. The header "Authorization" has another scheme. ${RIGHT}`],
    ['Api-Key secret', `Authentication credentials were not provided. The header "Authorization" has another scheme. ${RIGHT}`],
    ['Token', `Invalid token header. No credentials provided. ${RIGHT}`],
    [
      'Bearer secret',
      'Invalid token. This API key is unknown or revoked. Copy the whole key, or ask the operator of the service for a new one.',
    ],
  ])('refused credentials get help, which never repeats the key, in the header %j', async (header, detail) => {
    const answer = await send(echo, { headers: header === undefined ? {} : { Authorization: header }, body: '{' })
    expect(answer).toMatchObject({ status: 401, json: { detail } })
    expect(JSON.stringify(answer)).not.toMatch(/secret|c2Vj/)
  })

  it.each(['Token good', 'token good', 'TOKEN  good ', 'Token\tgood', 'Bearer good', 'bearer good'])(
    'credentials are accepted in the header %j',
    async (header) => {
      const answer = await send(echo, { headers: { authorization: header }, body: { name: 'a' } })
      expect(answer).toMatchObject({ status: 201, json: { user: 7, name: 'a' } })
    },
  )

  it('an open route needs no credentials', async () => {
    const open = api({ auth: 'none' }, async ({ user, rawBody, query }) => ok({ none: user === undefined, rawBody, query }))
    const answer = await send(open, { headers: null, body: Buffer.from('{"a": 1} '), query: { page: '2' } })
    expect(answer).toMatchObject({ status: 200, json: { none: true, rawBody: '{"a": 1} ', query: { page: '2' } } })
  })
})

describe('an id in a path', () => {
  it('an id in a path gets 404 when the route finds an object of another user', async () => {
    const find = async (_owner: number, id: number) => ({ id, owner: id })
    const route = api({ auth: 'token', params: IdParams, find }, async ({ found }) => ok(found))
    const answers = await Promise.all(['7', '8'].map((id) => send(route, { method: 'GET', params: { id }, headers: { Authorization } })))
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  })

  const retrieve = api({ auth: 'token', params: IdParams }, async ({ params }) => ok({ id: params.id }))
  const get = (id: string) => send(retrieve, { method: 'GET', params: { id }, headers: { Authorization } })

  it.each(['1', '42', '2147483647'])('an id in a path may be %s', async (id) => {
    expect(await get(id)).toMatchObject({ status: 200, json: { id: Number(id) } })
  })

  it.each(['0', '-1', '2147483648', '99999999999999999999', '1.0', '1e3', 'abc', '', ' 1', '01', '٣', '1\n'])(
    'an id in a path is not found when it is %j',
    async (id) => {
      expect(await get(id)).toMatchObject({ status: 404, json: { detail: 'Not found.' } })
    },
  )

  it('an id in a path is checked after the credentials', async () => {
    expect((await send(retrieve, { params: { id: 'abc' } })).status).toBe(401)
    expect((await send(retrieve, { params: null, headers: { Authorization } })).status).toBe(404)
  })
})

describe('the item that an id names', () => {
  const things = new Map([['7/1', { name: 'mine' }]])
  const find = async (owner: number, id: number) => things.get(`${owner}/${id}`)
  const rename = api({ auth: 'token', params: IdParams, find, body: Body }, async ({ found, body }) => ok({ was: found.name, ...body }))
  const patch = (id: string, body: unknown) => send(rename, { method: 'PATCH', params: { id }, headers: { Authorization }, body })

  it('the item that an id in a path names is looked up before the body is validated', async () => {
    expect(await patch('1', { name: 'new' })).toMatchObject({ status: 200, json: { was: 'mine', name: 'new' } })
    expect(await patch('1', {})).toMatchObject({ status: 400, json: { name: ['This field is required.'] } })
    expect(await patch('2', {})).toMatchObject({ status: 404, json: { detail: 'Not found.' } })
    expect(await patch('x', {})).toMatchObject({ status: 404, json: { detail: 'Not found.' } })
  })
})

describe('an error that a handler throws', () => {
  const throwing = (error: unknown) =>
    api({ auth: 'none' }, async () => {
      throw error
    })

  it('an error that a handler throws sets the status and the body of the answer', async () => {
    expect(await send(throwing(notFound()))).toMatchObject({ status: 404, json: { detail: 'Not found.' } })
    expect(await send(throwing(invalid({ at: ['No.'] })))).toMatchObject({ status: 400, json: { at: ['No.'] } })
  })

  const valiError = () => {
    try {
      return v.parse(v.object({ phone: v.number() }), { phone: '+12125550001' })
    } catch (error) {
      return error
    }
  }

  it.each([
    ['an error', new Error('secret')],
    ['a value', 'secret +12125550001'],
    ['nothing', undefined],
    ['a schema error', valiError()],
  ])('an unexpected error of a handler becomes a 500 without details: %s', async (_, error) => {
    const answer = await send(throwing(error))
    expect(answer).toMatchObject({ status: 500, headers: { 'X-Request-Id': REQUEST_ID }, json: { detail: 'A server error occurred.' } })
    const log = lines.join('')
    expect(log).toContain('The request failed.')
    expect(log).not.toContain('2125550001')
    if (error instanceof Error && error.message === 'secret') expect(log).toMatch(/secret.*http\.test\.ts/s)
  })

  it('an event that is not from API Gateway gets a 500', async () => {
    const result = await throwing(notFound())({ hello: 1 }, { awsRequestId: 'a' } as never)
    expect(result).toMatchObject({ statusCode: 500, headers: { 'X-Request-Id': 'a' } })
  })
})

describe('the log', () => {
  it('the log has one line per request, with ids only', async () => {
    await send(echo, { resource: '/api/leads', headers: { Authorization }, body: { name: '+12125550001', email: 'a@example.com' } })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: 'INFO',
      message: 'request',
      request_id: REQUEST_ID,
      method: 'POST',
      route: '/api/leads',
      status: 400,
      user: 7,
      milliseconds: expect.any(Number),
    })
    expect(lines[0]).not.toMatch(/2125550001|example|good/)
  })

  it('the log does not carry a user over to the next request', async () => {
    await send(echo, { headers: { Authorization }, body: {} })
    await send(echo, {})
    expect(JSON.parse(lines[1]!)).not.toHaveProperty('user')
  })
})
