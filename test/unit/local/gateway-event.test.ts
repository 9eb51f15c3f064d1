import { request as httpRequest } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { api, route, serve } from '#test/support/gateway.ts'

describe('the event of a request', () => {
  it('the event of a request has the fields of an API Gateway proxy integration', async () => {
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

  it.each([
    ['passes its name on', { Host: 'calls.example.com' }],
    ['tells its name in a header', { Host: '127.0.0.1', 'X-Forwarded-Host': 'calls.example.com' }],
  ])('the event of a request has the public address when a tunnel %s', async (_, headers) => {
    const { url, events } = await serve({ statusCode: 200 }, { publicUrl: 'https://calls.example.com' })
    await new Promise((resolve, reject) => {
      httpRequest(`${url}/api/leads/1`, { headers }, (response) => response.resume().once('end', resolve))
        .once('error', reject)
        .end()
    })
    await fetch(`${url}/api/leads/1`)
    expect(events.map(({ event }) => [event.requestContext.domainName, event.headers['X-Forwarded-Proto']])).toEqual([
      ['calls.example.com', 'https'],
      [new URL(url).host, 'http'],
    ])
  })

  it('the event of a request carries every value of a repeated header', async () => {
    const { url, events } = await serve()
    await new Promise((resolve, reject) => {
      httpRequest(`${url}/api/leads/1`, { headers: { 'X-Tag': ['one', 'two'] } }, (response) => response.resume().once('end', resolve))
        .once('error', reject)
        .end()
    })
    expect(events[0]?.event.headers['X-Tag']).toBe('two')
    expect(events[0]?.event.multiValueHeaders['X-Tag']).toEqual(['one', 'two'])
  })

  it('the event of a request has null for parts that were not sent', async () => {
    const { url, events } = await serve()
    await fetch(`${url}/api/leads/1`)
    expect(events[0]?.event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      body: null,
      isBase64Encoded: false,
    })
  })

  it('the event of a request contains a body of a binary media type as base64', async () => {
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
  ])('the gateway routes %s %s to %s', async (method, path, functionName, pathParameters) => {
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
  ])('the gateway refuses %s %s, which has no route', async (method, path) => {
    const { url, events } = await serve()
    const response = await fetch(url + path, { method })
    expect(response.status).toBe(403)
    if (method !== 'HEAD') expect(await response.json()).toEqual({ detail: 'Missing Authentication Token' })
    expect(response.headers.get('x-request-id')).toBe(response.headers.get('x-amzn-requestid'))
    expect(events).toEqual([])
  })

  it('a catch-all route serves the paths that other routes do not', async () => {
    const { url, events } = await serve({}, { api: { ...api, routes: [...api.routes, route('ANY', '/{proxy+}')] } })
    await fetch(`${url}/api/leads/5/`, { method: 'PATCH' })
    await fetch(`${url}/api`)
    expect(events.map(({ functionName, event }) => [functionName, event.path, event.pathParameters])).toEqual([
      ['ANY /{proxy+}', '/api/leads/5/', { proxy: 'api/leads/5' }],
      ['ANY /{proxy+}', '/api', { proxy: 'api' }],
    ])
  })

  it('the gateway refuses a path whose encoding is broken', async () => {
    const { url } = await serve()
    expect((await fetch(`${url}/api/leads/%zz`)).status).toBe(400)
  })
})
