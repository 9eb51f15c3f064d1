import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { type Gateway, type GatewayOptions, startGateway } from '#lib/local/gateway/server.ts'
import type { ApiSpec, Invoke, InvokeResult, RouteSpec } from '#lib/local/model.ts'

const route = (method: string, path: string, functionName = `${method} ${path}`): RouteSpec => ({ method, path, functionName })
const detail = {
  statusCode: undefined,
  template: '{"detail": $context.error.messageString}',
  headers: { 'X-Request-Id': 'context.requestId' },
}

const api: ApiSpec = {
  routes: [
    route('POST', '/api/leads'),
    route('GET', '/api/leads/{id}'),
    route('DELETE', '/api/leads/search'),
    route('ANY', '/api/files/{proxy+}'),
  ],
  binaryMediaTypes: ['multipart/form-data', 'application/octet-stream'],
  gatewayResponses: { DEFAULT_4XX: detail, DEFAULT_5XX: detail },
}

const started: Gateway[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((gateway) => gateway.close()))
})

/** A gateway before one function that answers what it is given. */
const serve = async (payload: unknown = { statusCode: 200 }, options: Partial<GatewayOptions> = {}) => {
  const events: { readonly functionName: string; readonly event: APIGatewayProxyEvent }[] = []
  const invoke: Invoke = async (functionName, event) => {
    events.push({ functionName, event: event as APIGatewayProxyEvent })
    return { ok: true, payload }
  }
  const gateway = await startGateway({ api, invoke, port: 0, ...options })
  started.push(gateway)
  return { gateway, url: gateway.url, events }
}

const answering =
  (result: Promise<InvokeResult> | InvokeResult): Invoke =>
  async () =>
    await result

describe('the event of a request', () => {
  it('is that of a proxy integration', async () => {
    const { url, events } = await serve({ statusCode: 200 }, { clock: () => Date.UTC(2026, 10, 20, 16) })
    const response = await fetch(`${url}/api/leads/?a=1&a=2&b=%20x+y&__proto__=p&constructor=c`, {
      method: 'POST',
      headers: { 'X-Thing': 'one', 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
      body: '{"phone":"ü"}',
    })
    const [{ functionName, event }] = events as [(typeof events)[number]]
    expect(functionName).toBe('POST /api/leads')
    expect(event).toMatchObject({
      resource: '/api/leads',
      path: '/api/leads/',
      httpMethod: 'POST',
      pathParameters: null,
      stageVariables: null,
      body: '{"phone":"ü"}',
      isBase64Encoded: false,
    })
    expect(Object.entries(event.queryStringParameters!)).toEqual([
      ['a', '2'],
      ['b', ' x y'],
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ])
    expect(event.multiValueQueryStringParameters?.['a']).toEqual(['1', '2'])
    expect(event.headers).toMatchObject({ 'X-Thing': 'one', 'X-Forwarded-For': '203.0.113.9, 127.0.0.1', 'X-Forwarded-Proto': 'http' })
    expect(Object.keys(event.headers).map((name) => name.toLowerCase())).not.toContain('content-length')
    expect(event.requestContext).toMatchObject({
      accountId: '000000000000',
      domainName: new URL(url).host,
      httpMethod: 'POST',
      path: '/api/leads/',
      resourcePath: '/api/leads',
      requestTime: '20/Nov/2026:16:00:00 +0000',
      requestTimeEpoch: Date.UTC(2026, 10, 20, 16),
      requestId: response.headers.get('x-amzn-requestid'),
    })
    expect(event.requestContext.identity.sourceIp).toBe('127.0.0.1')
  })

  it('carries every value of a repeated header', async () => {
    const { url, events } = await serve()
    await new Promise((resolve, reject) => {
      httpRequest(`${url}/api/leads/1`, { headers: { 'X-Tag': ['one', 'two'] } }, (response) => response.resume().once('end', resolve))
        .once('error', reject)
        .end()
    })
    expect(events[0]?.event.headers['X-Tag']).toBe('two')
    expect(events[0]?.event.multiValueHeaders['X-Tag']).toEqual(['one', 'two'])
  })

  it('has null where nothing was sent', async () => {
    const { url, events } = await serve()
    await fetch(`${url}/api/leads/1`)
    expect(events[0]?.event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      body: null,
      isBase64Encoded: false,
    })
  })

  it('holds a body of a binary media type as base64', async () => {
    const { url, events } = await serve()
    const form = new FormData()
    form.set('phone', '1')
    await fetch(`${url}/api/leads`, { method: 'POST', body: form })
    const { body, isBase64Encoded } = events[0]!.event
    expect(isBase64Encoded).toBe(true)
    expect(Buffer.from(body!, 'base64').toString()).toContain('name="phone"')
  })
})

describe('routing', () => {
  it.each([
    ['GET', '/api/leads/5', 'GET /api/leads/{id}', { id: '5' }],
    ['GET', '/api/leads/5/', 'GET /api/leads/{id}', { id: '5' }],
    ['GET', '/api/leads/a%2Fb%20c', 'GET /api/leads/{id}', { id: 'a/b c' }],
    ['DELETE', '/api/leads/search', 'DELETE /api/leads/search', null],
    ['GET', '/api/leads/search', 'GET /api/leads/{id}', { id: 'search' }],
    ['PUT', '/api/files/a/b%20c/', 'ANY /api/files/{proxy+}', { proxy: 'a/b c' }],
  ])('%s %s goes to %s', async (method, path, functionName, pathParameters) => {
    const { url, events } = await serve()
    expect((await fetch(url + path, { method })).status).toBe(200)
    expect(events[0]).toMatchObject({ functionName, event: { path, pathParameters } })
  })

  it.each([
    ['GET', '/api/leads'],
    ['HEAD', '/api/leads/5'],
    ['POST', '/api/leads/search'],
    ['GET', '/api/leads//'],
    ['GET', '/api/files/'],
    ['GET', '/'],
    ['GET', '/nowhere'],
  ])('%s %s goes nowhere', async (method, path) => {
    const { url, events } = await serve()
    const response = await fetch(url + path, { method })
    expect(response.status).toBe(403)
    if (method !== 'HEAD') expect(await response.json()).toEqual({ detail: 'Missing Authentication Token' })
    expect(response.headers.get('x-request-id')).toBe(response.headers.get('x-amzn-requestid'))
    expect(events).toEqual([])
  })

  it('lets a catch-all take what the other resources do not', async () => {
    const { url, events } = await serve({}, { api: { ...api, routes: [...api.routes, route('ANY', '/{proxy+}')] } })
    await fetch(`${url}/api/leads/5/`, { method: 'PATCH' })
    await fetch(`${url}/api`)
    expect(events.map(({ functionName, event }) => [functionName, event.path, event.pathParameters])).toEqual([
      ['ANY /{proxy+}', '/api/leads/5/', { proxy: 'api/leads/5' }],
      ['ANY /{proxy+}', '/api', { proxy: 'api' }],
    ])
  })

  it('refuses a path whose encoding is broken', async () => {
    const { url } = await serve()
    expect((await fetch(`${url}/api/leads/%zz`)).status).toBe(400)
  })
})

describe('the answer of a function', () => {
  it('is passed on with its status, headers and body', async () => {
    const { url } = await serve({
      statusCode: 201,
      headers: { 'X-One': 'a', 'X-Number': 7 },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'], 'x-one': ['a', 'b'] },
      body: '{"id":1}',
      isBase64Encoded: false,
    })
    const response = await fetch(`${url}/api/leads`, { method: 'POST' })
    expect(response.status).toBe(201)
    expect(await response.text()).toBe('{"id":1}')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-one')).toBe('a, b')
    expect(response.headers.get('x-number')).toBe('7')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('keeps WWW-Authenticate besides the name that API Gateway gives it', async () => {
    const { url } = await serve({ statusCode: 401, headers: { 'WWW-Authenticate': 'Token', 'Content-Length': '99' }, body: '{}' })
    const { headers } = await fetch(`${url}/api/leads/1`)
    expect(headers.get('www-authenticate')).toBe('Token')
    expect(headers.get('x-amzn-remapped-www-authenticate')).toBe('Token')
    expect(headers.get('x-amzn-remapped-content-length')).toBe('99')
    expect(headers.get('content-length')).toBe('2')
  })

  it('is decoded for a client that accepts a binary type', async () => {
    const payload = { statusCode: 200, headers: { 'Content-Type': 'application/octet-stream' }, body: 'aGk=', isBase64Encoded: true }
    const { url } = await serve(payload)
    expect(await (await fetch(`${url}/api/leads/1`, { headers: { Accept: 'application/octet-stream, */*' } })).text()).toBe('hi')
    expect(await (await fetch(`${url}/api/leads/1`, { headers: { Accept: 'application/json' } })).text()).toBe('aGk=')
  })

  it('may be empty', async () => {
    const { url } = await serve({ statusCode: 204 })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
  })

  it.each([
    ['nothing', null],
    ['a text', 'ok'],
    ['a body that is no string', { statusCode: 200, body: { id: 1 } }],
    ['a field of another format', { statusCode: 200, cookies: [] }],
    ['a status that is none', { statusCode: 'ok' }],
    ['more than Lambda hands over', { statusCode: 200, body: '"'.repeat(3.2 * 1024 * 1024) }],
    ['a header that cannot be sent', { statusCode: 200, headers: { 'X-One': 'a\r\nb: c' } }],
  ])('is malformed: %s', async (_, payload) => {
    const lines: string[] = []
    const { url } = await serve(payload, { warn: (line) => lines.push(line) })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({ detail: 'Internal server error' })
    expect(lines).toEqual([expect.stringContaining('gave a malformed answer')])
  })
})

describe("the gateway's own answers", () => {
  it.each(['Crashed', 'TimedOut', 'HandlerError'] as const)('502 when the function failed: %s', async (errorType) => {
    const { url } = await serve({}, { invoke: answering({ ok: false, errorType, message: 'secret' }) })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({ detail: 'Internal server error' })
  })

  it('500 when it could not be invoked', async () => {
    const { url } = await serve({}, { invoke: () => Promise.reject(new Error('gone')) })
    expect((await fetch(`${url}/api/leads/1`)).status).toBe(500)
  })

  it('504 when it takes too long', async () => {
    const { url } = await serve({}, { invoke: answering(new Promise(() => {})), integrationTimeoutMs: 30 })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(504)
    expect(await response.json()).toEqual({ detail: 'Endpoint request timed out' })
  })

  it('413 for a body over 10 MB, sent with its length or in chunks, and the connection lives on', async () => {
    const { url, events } = await serve()
    const large = Buffer.alloc(10 * 1024 * 1024 + 1, 'x')
    for (const body of [large, new Blob([large]).stream()]) {
      const response = await fetch(`${url}/api/leads`, { method: 'POST', body, duplex: 'half' } as RequestInit)
      expect(response.status).toBe(413)
      expect(await response.json()).toEqual({ detail: 'Request Too Long' })
    }
    expect(events).toEqual([])
    expect((await fetch(`${url}/api/leads`, { method: 'POST', body: '{}' })).status).toBe(200)
  })

  it('413 for a body over what Lambda takes', async () => {
    const { url, events } = await serve()
    expect((await fetch(`${url}/api/leads`, { method: 'POST', body: 'x'.repeat(6 * 1024 * 1024 + 1) })).status).toBe(413)
    expect((await fetch(`${url}/api/leads`, { method: 'POST', body: 'x'.repeat(6 * 1024 * 1024) })).status).toBe(200)
    expect(events).toHaveLength(1)
  })

  it("have AWS's shape unless the API declares another, and the status and headers that it declares", async () => {
    const { url } = await serve({}, { api: { ...api, gatewayResponses: {} } })
    expect(await (await fetch(`${url}/nowhere`)).json()).toEqual({ message: 'Missing Authentication Token' })
    const own = {
      statusCode: 404,
      template: '$context.error.responseType $context.path.',
      headers: { 'X-Kind': "'own'", 'X-Ip': 'context.identity.sourceIp' },
    }
    const declared = await serve({}, { api: { ...api, gatewayResponses: { MISSING_AUTHENTICATION_TOKEN: own } } })
    const response = await fetch(`${declared.url}/nowhere`)
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('MISSING_AUTHENTICATION_TOKEN /nowhere.')
    expect([response.headers.get('x-kind'), response.headers.get('x-ip')]).toEqual(['own', '127.0.0.1'])
  })
})

describe('the server', () => {
  it('says in a sentence that its port is taken', async () => {
    const { url } = await serve()
    await expect(startGateway({ api, invoke: answering({ ok: true, payload: {} }), port: Number(new URL(url).port) })).rejects.toThrow(
      /^Port \d+ is already in use; choose another one with --port/,
    )
  })

  it('listens on the loopback address alone and closes within a second, whatever is open', async () => {
    const { gateway } = await serve({}, { invoke: answering(new Promise(() => {})) })
    const { hostname, port } = new URL(gateway.url)
    expect(hostname).toBe('127.0.0.1')
    const pending = fetch(`${gateway.url}/api/leads/1`).catch((error: unknown) => error)
    const idle = connect(Number(port), '127.0.0.1').on('error', () => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    const from = performance.now()
    await gateway.close()
    expect(performance.now() - from).toBeLessThan(1000)
    expect(await pending).toHaveProperty('message', 'fetch failed')
    idle.destroy()
    started.splice(0)
  })

  it('survives a client that goes away in the middle of its body', async () => {
    const { url, gateway } = await serve()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write('POST /api/leads HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    expect((await fetch(`${gateway.url}/api/leads/1`)).status).toBe(200)
  })
})
