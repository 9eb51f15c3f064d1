import { beforeAll, describe, expect, it } from '@jest/globals'
import { subscriptionKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { formatInstant } from '#shared/platform/values/time.ts'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import {
  disableSubscription,
  enabledSubscriptions,
  getSubscription,
  noteFailing,
  noteWellAgain,
  saveSubscription,
} from '#shared/webhooks/subscription-store.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'
import { NOON } from '#test/support/samples.ts'
import { suiteWorld } from '#test/support/suite-world.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

suiteWorld()
const handlers = new Map<string, Parameters<typeof request>[0]>()

beforeAll(async () => {
  for (const name of ['list', 'retrieve', 'delete', 'delete-by-url', 'enable', 'create'])
    handlers.set(name, (await import(`../../functions/webhooks/${name}.ts`)).handler)
})

const OTHER = { Authorization: `Token ${OTHER_KEY}` }

interface Asked {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly query?: string
}

const ask = (name: string, id?: number | string, { query = '', ...rest }: Asked = {}) =>
  request(handlers.get(name)!, {
    method: { list: 'GET', retrieve: 'GET', delete: 'DELETE' }[name] ?? 'POST',
    path: `/api/webhooks/?${query}`,
    ...(id !== undefined && { parameters: { id: `${id}` } }),
    ...rest,
  })

const save = async (id: number, fields: Partial<Subscription> = {}) => {
  await saveSubscription(aSubscription({ id, owner: OWNER, ...fields }))
  return id
}

const missing = { status: 404, body: { detail: 'Not found.' } }

describe('a subscription', () => {
  it('a subscription shows exactly the documented fields', async () => {
    const id = await save(101, { trigger: [...TRIGGERS], method: 'PUT', filter_condition: "has('email')", headers: '1.a.b.c' })
    const { status, body } = await ask('retrieve', id)
    expect([status, body]).toEqual([
      200,
      {
        ...{ id, url: 'https://example.com/hook', trigger: [...TRIGGERS], method: 'PUT', filter_condition: "has('email')" },
        ...{ disabled_time: null, disabled_reason: null },
      },
    ])
  })

  it('a subscription shows when and why it was disabled until it is enabled', async () => {
    const id = await save(105)
    await disableSubscription(OWNER, id, { reason: 'Gone.', at: NOON })
    const shown = { id, disabled_time: formatInstant(NOON), disabled_reason: 'Gone.' }
    expect((await ask('retrieve', id)).body).toMatchObject(shown)
    expect((await ask('list')).body.results.find((one: { id: number }) => one.id === id)).toMatchObject(shown)
    const enabled = { id, disabled_time: null, disabled_reason: null }
    expect((await ask('enable', id)).body).toMatchObject(enabled)
    expect((await ask('retrieve', id)).body).toMatchObject(enabled)
  })

  it('a list with the status failing has only enabled subscriptions without a success since a failed attempt', async () => {
    const failing = await save(106)
    await save(107)
    const disabled = await save(108)
    for (const id of [failing, disabled]) await noteFailing({ owner: OWNER, id, url: 'https://example.com/hook' }, NOON)
    await disableSubscription(OWNER, disabled, { reason: 'Gone.', at: NOON })
    const listed = async () => (await ask('list', undefined, { query: 'status=failing' })).body
    expect(await listed()).toMatchObject({ count: 1, results: [{ id: failing, disabled_time: null }] })
    await noteWellAgain(OWNER, failing)
    expect(await listed()).toMatchObject({ count: 0, results: [] })
  })

  it.each([
    ['failed', '"failed" is not a valid choice.'],
    ['', 'This field may not be blank. Leave the parameter out to list all subscriptions.'],
  ])('a list with the status %p is refused', async (status, message) => {
    const { status: code, body } = await ask('list', undefined, { query: `status=${status}` })
    expect({ code, said: body.status[0].startsWith(message) }).toEqual({ code: 400, said: true })
  })

  it.each(['retrieve', 'delete', 'enable'])('a subscription is not found by another user or under a wrong id: %s', async (name) => {
    const id = await save(102)
    expect(await ask(name, id, { headers: OTHER })).toMatchObject(missing)
    for (const other of [999, 0, -1, '01', 'x', 2 ** 31, '1.0', '']) expect(await ask(name, other)).toMatchObject(missing)
    expect(await getSubscription(OWNER, id)).toMatchObject({ enabled: true })
  })

  it('a subscription can be deleted only once', async () => {
    const id = await save(103)
    expect(await ask('delete', id)).toMatchObject({ status: 204, body: undefined })
    expect(await ask('delete', id)).toMatchObject(missing)
    expect(await ask('retrieve', id)).toMatchObject(missing)
    expect((await enabledSubscriptions(OWNER)).map((one) => one.id)).not.toContain(id)
  })

  it('a disabled subscription is enabled again, with its failures forgotten', async () => {
    const id = await save(104)
    await disableSubscription(OWNER, id, { reason: 'Gone.', at: 1 })
    await updateItem(subscriptionKey(OWNER, id), {
      UpdateExpression: 'SET disabled_reason = :gone, failing_since = :noon',
      ExpressionAttributeValues: { ':gone': 'gone', ':noon': NOON },
    })
    expect((await enabledSubscriptions(OWNER)).map((one) => one.id)).not.toContain(id)
    for (let time = 1; time <= 2; time++) {
      expect(await ask('enable', id)).toMatchObject({ status: 200, body: { id, url: 'https://example.com/hook' } })
      const stored = await getSubscription(OWNER, id)
      expect(stored).toMatchObject({ enabled: true })
      expect({ disabled_reason: null, failing_since: null, ...stored }).toMatchObject({ disabled_reason: null, failing_since: null })
    }
    expect((await enabledSubscriptions(OWNER)).map((one) => one.id)).toContain(id)
  })
})

describe('deleting by URL', () => {
  it('deleting by URL deletes every subscription with exactly that URL, and only the caller’s own', async () => {
    const url = 'https://example.com/{{id}}?x=1'
    await save(201, { url })
    await save(202, { url, enabled: false, method: 'GET' })
    for (const [place, other] of ['https://example.com/{{ id }}?x=1', 'HTTPS://example.com/{{id}}?x=1', `${url}&`].entries())
      await save(210 + place, { url: other })
    await save(220, { url, owner: 2 })
    expect(await ask('delete-by-url', undefined, { body: { url: `  ${url} ` } })).toMatchObject({ status: 200, body: { deleted: 2 } })
    expect(await ask('delete-by-url', undefined, { body: { url } })).toMatchObject({ status: 200, body: { deleted: 0 } })
    expect(await Promise.all([201, 202].map((id) => getSubscription(OWNER, id)))).toEqual([undefined, undefined])
    for (const id of [210, 211, 212]) expect(await getSubscription(OWNER, id)).toBeDefined()
    expect(await getSubscription(2, 220)).toBeDefined()
  })

  it('deleting by URL deletes 120 subscriptions at once', async () => {
    const url = 'https://many.example/'
    await Promise.all(Array.from({ length: 120 }, (_, index) => save(5_000 + index, { url })))
    expect(await ask('delete-by-url', undefined, { body: { url } })).toMatchObject({ body: { deleted: 120 } })
  })

  it.each([
    [{}, 'This field is required.'],
    [{ url: '' }, 'This field may not be blank.'],
    [{ url: null }, 'This field may not be null.'],
    [{ url: ['https://example.com'] }, 'Not a valid string.'],
    [{ url: 'x'.repeat(256) }, 'Ensure this field has no more than 255 characters.'],
  ])('deleting subscriptions by URL refuses %j', async (body, message) => {
    expect(await ask('delete-by-url', undefined, { body })).toMatchObject({ status: 400, body: { url: [message] } })
  })
})

describe('the list of subscriptions', () => {
  const list = async (query: Record<string, string> = {}) => {
    const handler = handlers.get('list')!
    const answer = await handler(
      {
        ...{ httpMethod: 'GET', path: '/api/webhooks/', resource: '/api/webhooks', headers: OTHER, pathParameters: null },
        ...{ queryStringParameters: query, body: null, isBase64Encoded: false },
        requestContext: { requestId: 'r', path: '/api/webhooks/', domainName: 'api.example.com' },
      },
      { awsRequestId: 'r' } as Parameters<typeof handler>[1],
    )
    return { status: answer.statusCode, body: JSON.parse(answer.body) }
  }
  const idsOf = ({ body }: { body: { results: { id: number }[] } }) => body.results.map(({ id }) => id)

  it('the list of subscriptions shows each once, newest first, page by page', async () => {
    await ask('delete', 220, { headers: OTHER })
    expect(await list()).toEqual({ status: 200, body: { count: 0, next: null, previous: null, results: [] } })
    // Ids come in blocks: theirs is not the order in which subscriptions are made.
    const ids = Array.from({ length: 120 }, (_, index) => 3_000 + ((index * 7) % 120))
    await Promise.all(
      ids.map((id, index) => save(id, { owner: 2, created_time: NOON + index, headers: '1.a.b.c', enabled: index % 2 === 0 })),
    )
    const newest = ids.toReversed()
    const first = await list()
    expect(first.body).toMatchObject({ count: 120, previous: null, next: 'https://api.example.com/api/webhooks/?page=2' })
    expect(idsOf(first)).toEqual(newest.slice(0, 50))
    expect(Object.keys(first.body.results[0])).toEqual([
      'id',
      'url',
      'trigger',
      'method',
      'filter_condition',
      'disabled_time',
      'disabled_reason',
    ])
    expect(idsOf(await list({ page: '3' }))).toEqual(newest.slice(100))
    expect(idsOf(await list({ page: 'last', page_size: '100' }))).toEqual(newest.slice(100))
    expect(idsOf(await list({ page_size: '1000' }))).toHaveLength(100)
    for (const page of ['4', '0', '-1', 'x']) expect(await list({ page })).toEqual({ status: 404, body: { detail: 'Invalid page.' } })
  })

  it('the list of subscriptions orders those of the same millisecond by descending id', async () => {
    await Promise.all([9_001, 9_003, 9_002].map((id) => save(id, { owner: 2, created_time: NOON + 1_000 })))
    expect(idsOf(await list()).slice(0, 3)).toEqual([9_003, 9_002, 9_001])
  })
})
