import { describe, expect, it } from '@jest/globals'
import { ApiError, LeadOutreachClient } from '#lib/client/index.ts'
import { failureOf, json, pretendService } from '#test/support/pretend-service.ts'

const start = pretendService()

describe('a request of the client', () => {
  it('the client sends a request to its path, with the key, the query and the body', async () => {
    const { server, client } = await start(() => json({}))
    await client.request('GET /api/leads/{id}/explain/', { path: { id: 51 }, query: { at: '2026-11-20T16:00:00+01:00' } })
    await client.request('PATCH /api/leads/{id}/', { path: { id: 51 }, body: { status: 'CANCELLED' } })
    expect(server.requests).toMatchObject([
      { method: 'GET', path: '/api/leads/51/explain/?at=2026-11-20T16%3A00%3A00%2B01%3A00', headers: { authorization: 'Token lok_1' } },
      { method: 'PATCH', path: '/api/leads/51/', headers: { 'content-type': 'application/json' }, body: '{"status":"CANCELLED"}' },
    ])
  })

  it('the client of a staff member names the user for whom it asks', async () => {
    const { server, client } = await start(() => json({}), { actAsUser: 7 })
    await client.request('GET /api/users/me/')
    await client.request('PATCH /api/leads/{id}/', { path: { id: 51 }, body: {} })
    expect(server.requests.map(({ headers }) => headers['x-act-as-user'])).toEqual(['7', '7'])
  })

  it('the client reaches the service when its address ends in /api/', async () => {
    const { server } = await start(() => json({}))
    await new LeadOutreachClient({ url: `${server.url}/api/`, apiKey: 'lok_1' }).request('GET /api/users/me/')
    expect(server.requests).toMatchObject([{ path: '/api/users/me/' }])
  })

  it('the client keeps a parameter of the path in its place', async () => {
    const { server, client } = await start(() => json({}))
    await client.request('GET /api/tasks/{task_id}/', { path: { task_id: '../users/me?x' } })
    expect(server.requests).toMatchObject([{ path: '/api/tasks/..%2Fusers%2Fme%3Fx/' }])
  })

  it('the client sends no request when a parameter of the path is empty', async () => {
    const { server, client } = await start(() => json({}))
    const request = client.request('GET /api/tasks/{task_id}/', { path: { task_id: '' } })
    await expect(request).rejects.toThrow('/api/tasks/{task_id}/ needs path.task_id.')
    expect(server.requests).toEqual([])
  })

  it('the client returns the status, the body and the warnings', async () => {
    const header = 'similar_field;field="metadata.frist_name";hint="first_name", odd;field="a\\"b, c;d\\\\", more'
    const { client } = await start(() => json({ id: 51 }, 201, { 'X-Warnings': header }))
    expect(await client.request('POST /api/leads/', { body: { phone_number: '+12125550123' } })).toMatchObject({
      status: 201,
      data: { id: 51 },
      warnings: [
        { code: 'similar_field', field: 'metadata.frist_name', hint: 'first_name' },
        { code: 'odd', field: 'a"b, c;d\\' },
        { code: 'more' },
      ],
    })
  })

  it('the client returns no data for an answer without a body', async () => {
    const { client } = await start(() => ({ status: 204 }))
    expect(await client.request('DELETE /api/webhooks/{id}/', { path: { id: 1 } })).toMatchObject({ status: 204, data: undefined })
  })

  it('the types of the client check the parts of a request', async () => {
    const { client } = await start(() => json({ id: 51, status: 'NEW' }))
    // @ts-expect-error: there is no such operation.
    await client.request('GET /api/leads/51/')
    // @ts-expect-error: the phone number is missing.
    await client.request('POST /api/leads/', { body: {} })
    // @ts-expect-error: there is no such status.
    await client.request('PATCH /api/leads/{id}/', { path: { id: 51 }, body: { status: 'ASLEEP' } })
    const { data } = await client.request('GET /api/leads/{id}/', { path: { id: 51 } })
    const status: 'NEW' | 'OPEN' | string = data.status
    // @ts-expect-error: a lead has no such field.
    expect([status, data.name]).toEqual(['NEW', undefined])
  })
})

describe('a refused request', () => {
  it("the client's error names the fields, the warnings and the request", async () => {
    const body = { phone_number: ['This field is required.'], non_field_errors: ['One.', 'Two.'] }
    const { client } = await start(() => json(body, 400, { 'X-Request-Id': 'r-1', 'X-Warnings': 'no_place;field="us_state"' }))
    const error = await failureOf(client.request('GET /api/leads/'))
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      message: 'GET /api/leads/ was answered 400: phone_number: This field is required. non_field_errors: One. Two.',
      ...{ status: 400, fields: body, detail: undefined, requestId: 'r-1', body },
      warnings: [{ code: 'no_place', field: 'us_state' }],
    })
  })

  it("the client's error has the sentence of an error that is about no field", async () => {
    const { client } = await start(() => json({ detail: 'Invalid token.' }, 401))
    const message = 'GET /api/users/me/ was answered 401: Invalid token.'
    expect(await failureOf(client.request('GET /api/users/me/'))).toMatchObject({ message, detail: 'Invalid token.', fields: {} })
  })

  it("the client's error has the text of an answer that is not JSON", async () => {
    const { client } = await start(() => ({ status: 404, body: '<h1>Not here</h1>' }))
    const message = 'GET /api/users/me/ was answered 404.'
    expect(await failureOf(client.request('GET /api/users/me/'))).toMatchObject({ message, body: '<h1>Not here</h1>' })
  })

  it('the client does not follow a redirect, which would send a POST as a GET', async () => {
    const { server, client } = await start(() => ({ status: 302, headers: { Location: '/elsewhere' } }))
    expect(await failureOf(client.request('POST /api/dnc/', { body: { phone_number: '1' } }))).toMatchObject({ status: 302 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('the answers that a client keeps', () => {
  /** Answers by `If-None-Match`, as the service does. */
  const tagged = (tagOf: (path: string) => string) =>
    start(
      ({ path, headers }) => {
        const ETag = tagOf(path)
        return headers['if-none-match'] === ETag ? { status: 304, headers: { ETag } } : json({ id: 51 }, 200, { ETag })
      },
      { keptAnswers: 2 },
    )

  const read = (client: LeadOutreachClient, id: number) => client.request('GET /api/leads/{id}/', { path: { id } })

  it('the client returns the same object as long as the service says that the answer has not changed', async () => {
    let tag = '"a"'
    const { server, client } = await tagged(() => tag)
    const first = await read(client, 51)
    expect(await read(client, 51)).toBe(first)
    tag = '"b"'
    const changed = await read(client, 51)
    expect(changed).not.toBe(first)
    expect(await read(client, 51)).toBe(changed)
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"a"', '"a"', '"b"'])
  })

  it('the client keeps answers by their address, and only the latest of them', async () => {
    const { server, client } = await tagged((path) => JSON.stringify(path))
    for (const id of [51, 52, 51, 53, 51, 52]) await read(client, id)
    const named = server.requests.map(({ headers }) => headers['if-none-match'] !== undefined)
    expect(named).toEqual([false, false, true, false, true, false])
  })

  it('the client keeps no answers by default', async () => {
    const { server, client } = await start(() => json({ id: 51 }, 200, { ETag: '"a"' }))
    for (const id of [51, 51]) await read(client, id)
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined])
  })
})

describe('the items of a list', () => {
  it('the client reads a list page by page, with the query of the first', async () => {
    const pages = ['/api/leads/?page_size=2', '/api/leads/?page=2&page_size=2']
    const { server, client } = await start(({ path }) => {
      const first = path === pages[0]
      return json({
        count: 3,
        next: first ? `https://elsewhere.example${pages[1]}` : null,
        results: first ? [{ id: 3 }, { id: 2 }] : [{ id: 1 }],
      })
    })
    const ids: number[] = []
    for await (const lead of client.each('GET /api/leads/', { query: { page_size: 2 } })) ids.push(lead.id)
    expect(ids).toEqual([3, 2, 1])
    expect(server.requests.map(({ path }) => path)).toEqual(pages)
  })

  it('the client keeps several values of a parameter on every page', async () => {
    const status = ['OPEN', 'CLOSED'] as const
    const search = '?status=OPEN&status=CLOSED'
    const { server, client } = await start((_, count) =>
      json({ count: 2, next: count === 1 ? `https://a.example/api/leads/${search}&cursor=c%2B1` : null, results: [{ id: count }] }),
    )
    for await (const { id } of client.each('GET /api/leads/', { query: { status } })) expect([1, 2]).toContain(id)
    expect(server.requests.map(({ path }) => path)).toEqual([`/api/leads/${search}`, `/api/leads/${search}&cursor=c%2B1`])
  })

  it('the client requests no pages beyond the items that are read', async () => {
    const { server, client } = await start(() => json({ count: 2, next: 'https://a.example/?page=2', results: [{ id: 1 }] }))
    for await (const _ of client.each('GET /api/webhooks/')) break
    expect(server.requests).toHaveLength(1)
  })
})

describe('a client', () => {
  it.each([
    ['without http://', { url: 'leads.example.com', apiKey: 'lok_1' }, 'begins with https:// or http://, unlike "leads.example.com".'],
    ['without a key', { url: 'https://leads.example.com', apiKey: '' }, 'The API key is missing.'],
  ])('the client cannot be made %s', (_, settings, message) => {
    expect(() => new LeadOutreachClient(settings)).toThrow(message)
  })
})
