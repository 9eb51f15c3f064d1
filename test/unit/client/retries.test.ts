import { describe, expect, it } from '@jest/globals'
import { NoAnswerError } from '#lib/client/index.ts'
import { sleep } from '#lib/client/retry.ts'
import { failureOf, json, pretendService, type Respond } from '#test/support/pretend-service.ts'

const start = pretendService()

/** Fails with these answers, one after the other, and then succeeds. */
const failing =
  (...failures: { status: number; headers?: Record<string, string> }[]): Respond =>
  (_, count) =>
    failures[count - 1] ?? json({ id: 51 })

describe('a failed request', () => {
  it('the client repeats a failed request with the same idempotency key, after longer and longer delays', async () => {
    const { server, delays, client } = await start(failing({ status: 500 }, { status: 503 }, { status: 502 }))
    const body = { phone_number: '+12125550123' }
    expect(await client.request('POST /api/leads/', { body })).toMatchObject({ data: { id: 51 } })
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(server.requests).toHaveLength(4)
    for (const [at, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(250 * 2 ** at)
      expect(delay).toBeLessThanOrEqual(500 * 2 ** at)
    }
  })

  it('the client makes a new idempotency key for each request, or uses the one that is given', async () => {
    const { server, client } = await start(() => json({}))
    const body = { phone_number: '+12125550123' }
    for (const idempotencyKey of [undefined, undefined, 'crm-1']) await client.request('POST /api/leads/', { body, idempotencyKey })
    const keys = server.requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('crm-1')
  })

  it('the client gives up a failed request after the last retry', async () => {
    const { server, client } = await start(() => ({ status: 500 }), { retries: 2 })
    expect(await failureOf(client.request('GET /api/users/me/'))).toMatchObject({ name: 'ApiError', status: 500 })
    expect(server.requests).toHaveLength(3)
  })

  it.each(['PATCH /api/leads/update/', 'PUT /api/leads/update/'] as const)(
    'the client does not repeat a failed request if that may do harm: %s',
    async (operation) => {
      const { server, client } = await start(failing({ status: 500 }))
      expect(await failureOf(client.request(operation, { body: { phone_number: '1' } }))).toMatchObject({ status: 500 })
      expect(server.requests).toHaveLength(1)
    },
  )

  it('the client repeats any request after a 429, once Retry-After is over', async () => {
    const { delays, client } = await start(failing({ status: 429, headers: { 'Retry-After': '7' } }))
    await client.request('PATCH /api/leads/update/', { body: { phone_number: '1' } })
    expect(delays).toEqual([expect.any(Number)])
    expect(delays[0]).toBeGreaterThanOrEqual(7000)
    expect(delays[0]).toBeLessThanOrEqual(8000)
  })

  it('the client does not repeat a request if Retry-After is hours', async () => {
    const { server, client } = await start(() => ({ status: 429, headers: { 'Retry-After': '3600' } }))
    expect(await failureOf(client.request('GET /api/users/me/'))).toMatchObject({ status: 429, retryAfterSeconds: 3600 })
    expect(server.requests).toHaveLength(1)
  })

  it('the client repeats a request while the service still handles its first attempt', async () => {
    const { server, client } = await start(failing({ status: 500 }, { status: 409, headers: { 'Retry-After': '1' } }))
    await client.request('POST /api/leads/', { body: { phone_number: '1' } })
    expect(server.requests).toHaveLength(3)
  })

  it('the client does not repeat a request that is refused with a 409: a repeat would override the refusal', async () => {
    const { server, client } = await start(failing({ status: 409 }))
    expect(await failureOf(client.request('POST /api/webhooks/{id}/test/', { path: { id: 1 } }))).toMatchObject({ status: 409 })
    expect(server.requests).toHaveLength(1)
  })

  it('the client repeats a request when its connection breaks', async () => {
    const { server, client } = await start((_, count, response) => {
      if (count > 1) return json({})
      response.destroy()
      return undefined
    })
    await client.request('GET /api/users/me/')
    expect(server.requests).toHaveLength(2)
  })

  it('the client says why no answer came', async () => {
    const { server, client } = await start(() => ({}), { retries: 1 })
    await server.close()
    const error = await failureOf(client.request('GET /api/users/me/'))
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(String(error)).toMatch(/^NoAnswerError: GET \/api\/users\/me\/ got no answer \(attempts: 2\): fetch failed: .*ECONNREFUSED/)
  })

  it('the client repeats a request when an attempt takes too long', async () => {
    const { server, client } = await start((_, count) => (count > 1 ? json({}) : undefined), { timeoutMs: 50 })
    await client.request('GET /api/users/me/')
    expect(server.requests).toHaveLength(2)
  })

  it('the client ends a request at once when its signal aborts, in an attempt and between two', async () => {
    const { server, client } = await start(() => undefined)
    const during = new AbortController()
    const request = failureOf(client.request('GET /api/users/me/', { signal: during.signal }))
    await server.waitFor(1)
    during.abort(new Error('Enough.'))
    expect(await request).toMatchObject({ message: 'Enough.' })

    const between = new AbortController()
    const failed = await start(() => ({ status: 500 }), { sleep })
    const retried = failureOf(failed.client.request('GET /api/users/me/', { signal: between.signal }))
    await failed.server.waitFor(1)
    between.abort(new Error('Enough.'))
    expect(await retried).toMatchObject({ message: 'Enough.' })
  })
})
