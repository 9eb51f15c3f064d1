import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { startGateway } from '#lib/local/gateway/server.ts'
import type { Invoke, InvokeResult } from '#lib/local/model.ts'
import { eventually } from '#test/support/eventually.ts'
import { api, serve, started } from '#test/support/gateway.ts'

const answering =
  (result: Promise<InvokeResult> | InvokeResult): Invoke =>
  async () =>
    await result

describe('a method that API Gateway does not know', () => {
  it('a method that API Gateway does not know goes to the route for any method', async () => {
    const { url, events } = await serve({ statusCode: 405, headers: { Allow: 'GET' }, body: '{}' })
    const request = httpRequest(`${url}/api/files/x`, { method: 'TRACE' }).end()
    const [response] = await once(request, 'response')
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET'])
    expect(events.map(({ event }) => event.httpMethod)).toEqual(['TRACE'])
    response.resume()
  })
})

describe('the root of the service', () => {
  it('the root of the service redirects a browser to the landing page', async () => {
    const { url, events } = await serve({ statusCode: 200 }, { landing: '/api/docs/' })
    const response = await fetch(url, { redirect: 'manual' })
    expect([response.status, response.headers.get('location'), events]).toEqual([302, '/api/docs/', []])
  })

  it('the root of a service without a landing page answers 403, as on AWS', async () => {
    const { url } = await serve()
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(403)
  })
})

describe('the answer of a function', () => {
  it('the gateway passes on the answer of a function with its status, headers and body', async () => {
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

  it('the gateway keeps WWW-Authenticate in addition to the remapped header', async () => {
    const { url } = await serve({ statusCode: 401, headers: { 'WWW-Authenticate': 'Token', 'Content-Length': '99' }, body: '{}' })
    const { headers } = await fetch(`${url}/api/leads/1`)
    expect(headers.get('www-authenticate')).toBe('Token')
    expect(headers.get('x-amzn-remapped-www-authenticate')).toBe('Token')
    expect(headers.get('x-amzn-remapped-content-length')).toBe('99')
    expect(headers.get('content-length')).toBe('2')
  })

  it('the gateway decodes the answer of a function for a client that accepts a binary type', async () => {
    const payload = { statusCode: 200, headers: { 'Content-Type': 'application/octet-stream' }, body: 'aGk=', isBase64Encoded: true }
    const { url } = await serve(payload)
    expect(await (await fetch(`${url}/api/leads/1`, { headers: { Accept: 'application/octet-stream, */*' } })).text()).toBe('hi')
    expect(await (await fetch(`${url}/api/leads/1`, { headers: { Accept: 'application/json' } })).text()).toBe('aGk=')
  })

  it('the answer of a function may be empty', async () => {
    const { url } = await serve({ statusCode: 204 })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
  })

  it('the gateway passes on a 304 with its headers and without a body', async () => {
    const headers = { ETag: '"a"', 'X-Request-Id': 'r', 'Cache-Control': 'no-store' }
    const { url, events } = await serve({ statusCode: 304, headers, body: '' })
    const response = await fetch(`${url}/api/leads/1`, { headers: { 'If-None-Match': '"a"' } })
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect(['etag', 'x-request-id', 'cache-control'].map((name) => response.headers.get(name))).toEqual(['"a"', 'r', 'no-store'])
    expect(events[0]!.event.headers).toMatchObject({ 'If-None-Match': '"a"' })
  })

  it('an answer carries the time by the clock of the service', async () => {
    const { url } = await serve({ statusCode: 200 }, { clock: () => Date.parse('2026-11-20T16:00:00Z') })
    expect((await fetch(`${url}/api/leads/1`)).headers.get('date')).toBe('Fri, 20 Nov 2026 16:00:00 GMT')
  })

  it.each([
    ['nothing', null],
    ['a text', 'ok'],
    ['a body that is no string', { statusCode: 200, body: { id: 1 } }],
    ['a field of another format', { statusCode: 200, cookies: [] }],
    ['an invalid status', { statusCode: 'ok' }],
    ['more than Lambda hands over', { statusCode: 200, body: '"'.repeat(3.2 * 1024 * 1024) }],
    ['a header that cannot be sent', { statusCode: 200, headers: { 'X-One': 'a\r\nb: c' } }],
  ])('a malformed answer of a function becomes a 502: %s', async (_, payload) => {
    const lines: string[] = []
    const { url } = await serve(payload, { warn: (line) => lines.push(line) })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({ detail: 'Internal server error' })
    expect(lines).toEqual([expect.stringContaining('gave a malformed answer')])
  })
})

describe('the gateway', () => {
  it.each(['Crashed', 'TimedOut', 'HandlerError'] as const)('the gateway answers 502 when the function failed: %s', async (errorType) => {
    const { url } = await serve({}, { invoke: answering({ ok: false, errorType, message: 'secret' }) })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({ detail: 'Internal server error' })
  })

  it('the gateway answers 500 when the function cannot be invoked', async () => {
    const { url } = await serve({}, { invoke: () => Promise.reject(new Error('gone')) })
    expect((await fetch(`${url}/api/leads/1`)).status).toBe(500)
  })

  it('the gateway answers 504 when the function takes too long', async () => {
    const { url } = await serve({}, { invoke: answering(new Promise(() => {})), integrationTimeoutMs: 30 })
    const response = await fetch(`${url}/api/leads/1`)
    expect(response.status).toBe(504)
    expect(await response.json()).toEqual({ detail: 'Endpoint request timed out' })
  })

  it('the gateway answers 413 to a body over 10 MB, and continues to serve', async () => {
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

  it('the gateway answers 413 to a body larger than Lambda accepts', async () => {
    const { url, events } = await serve()
    expect((await fetch(`${url}/api/leads`, { method: 'POST', body: 'x'.repeat(6 * 1024 * 1024 + 1) })).status).toBe(413)
    expect((await fetch(`${url}/api/leads`, { method: 'POST', body: 'x'.repeat(6 * 1024 * 1024) })).status).toBe(200)
    expect(events).toHaveLength(1)
  })

  it('the gateway sends errors in the format of AWS unless the API declares another', async () => {
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

describe('the gateway server', () => {
  it('the gateway server reports in one sentence that its port is taken', async () => {
    const { url } = await serve()
    await expect(startGateway({ api, invoke: answering({ ok: true, payload: {} }), port: Number(new URL(url).port) })).rejects.toThrow(
      /^Port \d+ is already in use; choose another one with --port/,
    )
  })

  it('the gateway server listens on loopback only, and closes at once despite open connections', async () => {
    const asked = Promise.withResolvers<void>()
    const invoke: Invoke = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    const { gateway } = await serve({}, { invoke })
    const { hostname, port } = new URL(gateway.url)
    expect(hostname).toBe('127.0.0.1')
    const pending = fetch(`${gateway.url}/api/leads/1`).catch((error: unknown) => error)
    const idle = connect(Number(port), '127.0.0.1').on('error', () => {})
    await Promise.all([asked.promise, once(idle, 'connect')])
    await gateway.close()
    expect(await pending).toHaveProperty('message', 'fetch failed')
    idle.destroy()
    started.splice(0)
  })

  it('the gateway server survives a client that disconnects during its body', async () => {
    const lines: string[] = []
    const { url, gateway } = await serve({ statusCode: 200 }, { warn: (line) => lines.push(line) })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await new Promise((done) => socket.write('POST /api/leads HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', done))
    socket.destroy()
    await eventually(() => lines.length > 0)
    expect(lines).toEqual([expect.stringMatching(/^POST \/api\/leads: /)])
    expect((await fetch(`${gateway.url}/api/leads/1`)).status).toBe(200)
  })
})
