import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { disableSubscription, getSubscription, subscriptionsOf } from '#shared/webhooks/subscription-store.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'
import { sealedSubscriptions } from '#test/support/sealed-subscriptions.ts'
import { OTHER_KEY, OWNER } from '#test/support/world.ts'

const { ask, pending, receive, received, send, subscribe } = sealedSubscriptions()

const OLD = 'https://example.com/hook'
const NEW = 'https://example.com/new'
const TOKEN = { Authorization: 'Bearer 0123' }

const patch = (id: number, body: unknown, headers: Record<string, string> = {}) =>
  ask('update', 'PATCH', `/api/webhooks/${id}/`, { id, body, headers })

const stored = async (id: number): Promise<Subscription> => (await getSubscription(OWNER, id))!

const make = async (fields: Record<string, unknown> = {}, headers?: unknown): Promise<number> => (await subscribe(headers, fields)).body.id

describe('an update of a subscription', () => {
  it('an update of a subscription changes the fields that were sent and keeps all others', async () => {
    const id = await make({ url: OLD, trigger: ['LEAD_CREATED'], method: 'PUT', filter_condition: "has('email')" }, TOKEN)
    const before = await stored(id)
    const shown = { id, url: OLD, trigger: ['LEAD_CREATED'], method: 'PUT', filter_condition: "has('email')" }
    const enabled = { disabled_time: null, disabled_reason: null }
    for (const [body, changed] of [
      [{ trigger: 'CALL_DNC' }, { trigger: ['CALL_DNC'] }],
      [{ trigger: ['LEAD_LOST', 'LEAD_LOST', 'CALL_DNC'] }, { trigger: ['LEAD_LOST', 'CALL_DNC'] }],
      [{ filter_condition: " get('a') == 1 " }, { filter_condition: "get('a') == 1" }],
      [{ filter_condition: '' }, { filter_condition: '' }],
      [{ method: 'GET' }, { method: 'GET' }],
      [{ method: null }, { method: 'POST' }],
      [{ url: NEW }, { url: NEW }],
      [{}, {}],
    ] as const) {
      Object.assign(shown, changed)
      const answer = await patch(id, body)
      expect([answer.status, answer.body]).toEqual([200, { ...shown, ...enabled }])
      expect((await ask('retrieve', 'GET', `/api/webhooks/${id}/`, { id })).body).toEqual(answer.body)
    }
    expect(await stored(id)).toMatchObject({ created_time: before.created_time, headers: before.headers, owner: OWNER, enabled: true })
  })

  it('an update of a subscription takes it as it was shown, and ignores what only the service sets', async () => {
    const id = await make({ url: OLD })
    const { body } = await ask('retrieve', 'GET', `/api/webhooks/${id}/`, { id })
    const answer = await patch(id, { ...body, id: 1, disabled_reason: 'x', trigger: ['LEAD_LOST'] })
    expect([answer.status, answer.body]).toEqual([200, { ...body, trigger: ['LEAD_LOST'] }])
  })

  it.each([
    [
      { url: null, trigger: [], method: 'HEAD', filter_condition: 'a ==', headers: 'x' },
      ['url', 'trigger', 'method', 'filter_condition', 'headers'],
    ],
    [{ url: 'http://10.0.0.1/' }, ['url']],
    [{ url: '' }, ['url']],
    [{ trigger: null }, ['trigger']],
    [{ headers: { Host: 'x' } }, ['headers']],
    [{ filter: 'x' }, ['filter']],
    [[], ['non_field_errors']],
  ])('an update of a subscription is refused as a creation is, and changes nothing: %j', async (body, fields) => {
    const id = await make({ url: OLD })
    const before = await stored(id)
    const answer = await patch(id, body)
    expect([answer.status, Object.keys(answer.body)]).toEqual([400, fields])
    expect(await stored(id)).toEqual(before)
  })

  it('an update of a subscription is a 404 for another user, a wrong id and a deleted one, whatever the body', async () => {
    const id = await make({ url: OLD })
    const missing = { status: 404, body: { detail: 'Not found.' } }
    for (const body of [{ url: NEW }, { url: 1 }]) {
      expect(await patch(id, body, { Authorization: `Token ${OTHER_KEY}` })).toMatchObject(missing)
      expect(await patch(999_999, body)).toMatchObject(missing)
    }
    expect(await stored(id)).toMatchObject({ url: OLD })
    await ask('delete', 'DELETE', `/api/webhooks/${id}/`, { id })
    expect(await patch(id, { url: NEW })).toMatchObject(missing)
    expect(await getSubscription(OWNER, id)).toBeUndefined()
  })

  it('an update of a disabled subscription leaves it disabled', async () => {
    const id = await make({ url: OLD })
    await disableSubscription(OWNER, id, { reason: 'Gone.', at: now() })
    expect((await patch(id, { url: NEW })).body).toMatchObject({ url: NEW, disabled_reason: 'Gone.' })
    expect(await stored(id)).toMatchObject({ enabled: false })
    expect((await ask('enable', 'POST', `/api/webhooks/${id}/enable/`, { id })).body).toMatchObject({ url: NEW, disabled_reason: null })
  })

  it('an update never brings back a subscription that is deleted at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await make({ url: OLD })
      const [updated] = await Promise.all([
        patch(id, { url: NEW, trigger: ['LEAD_LOST'] }),
        ask('delete', 'DELETE', `/api/webhooks/${id}/`, { id }),
      ])
      expect([200, 404]).toContain(updated.status)
      expect(await getSubscription(OWNER, id)).toBeUndefined()
    }
  })

  it('an update of a subscription combines with concurrent updates of other fields', async () => {
    const id = await make({ url: OLD })
    const bodies = [{ url: NEW }, { trigger: ['LEAD_LOST'] }, { method: 'PUT' }, { filter_condition: "has('a')" }, { headers: TOKEN }]
    const answers = await Promise.all(bodies.map((body) => patch(id, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await stored(id)).toMatchObject({ ...Object.assign({}, ...bodies), headers: expect.stringMatching(/^1\./) })
  })

  it('an update of the URL moves the subscription to its new URL for deletion by URL', async () => {
    const [from, to] = ['https://moved.example/a', 'https://moved.example/b']
    const id = await make({ url: from })
    await patch(id, { url: to })
    const remove = async (url: string) =>
      (await ask('delete-by-url', 'POST', '/api/webhooks/delete-by-url/', { body: { url } })).body.deleted
    expect([await remove(from), await remove(to), await remove(to)]).toEqual([0, 1, 0])
  })

  it('a subscription with a new URL is not lost when its old URL is deleted at the same time', async () => {
    const url = 'https://raced.example/a'
    for (let round = 0; round < 10; round++) {
      const id = await make({ url })
      const [updated, removed] = await Promise.all([
        patch(id, { url: NEW }),
        ask('delete-by-url', 'POST', '/api/webhooks/delete-by-url/', { body: { url } }),
      ])
      expect([updated.status, removed.body.deleted]).toEqual((await getSubscription(OWNER, id)) ? [200, 0] : [404, 1])
    }
    expect((await subscriptionsOf(OWNER)).filter((one) => one.url === url)).toEqual([])
  })
})

describe('headers in an update', () => {
  it('headers in an update of a subscription replace all earlier ones, and null or {} removes them', async () => {
    await receive()
    const id = await make({}, { ...TOKEN, 'X-Old': '1' })
    const sent = async () => {
      expect(await send(await pending(id))).toMatchObject({ status: 'delivered' })
      const { authorization, 'x-old': old, 'x-new': fresh } = received().at(-1)?.headers ?? {}
      return [authorization, old, fresh]
    }
    expect(await sent()).toEqual(['Bearer 0123', '1', undefined])
    expect(Object.keys((await patch(id, { headers: { 'X-New': '2' } })).body)).not.toContain('headers')
    expect(await sent()).toEqual([undefined, undefined, '2'])
    await patch(id, { method: 'PUT' })
    expect(await sent()).toEqual([undefined, undefined, '2'])
    for (const none of [null, {}]) {
      await patch(id, { headers: none })
      expect((await stored(id)).headers).toBeNull()
      expect(await sent()).toEqual([undefined, undefined, undefined])
      await patch(id, { headers: TOKEN })
      expect(await sent()).toEqual(['Bearer 0123', undefined, undefined])
    }
  })

  it.each(['https://elsewhere.example/hook', 'http://example.com/hook', 'https://example.com:8443/hook'])(
    'headers must be sent again when an update leads the URL to another origin: %s',
    async (url) => {
      const id = await make({ url: OLD }, TOKEN)
      const before = await stored(id)
      const answer = await patch(id, { url, trigger: ['LEAD_LOST'] })
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          headers: [
            'The stored headers do not go to another scheme, host or port. Send the headers for the new URL too, or null to remove them.',
          ],
        },
      ])
      expect(await stored(id)).toEqual(before)
      expect(await patch(id, { url: `${OLD}/{{trigger}}` })).toMatchObject({ status: 200 })
      expect(await patch(id, { url, headers: TOKEN })).toMatchObject({ status: 200, body: { url } })
      expect(await patch(id, { url: OLD, headers: null })).toMatchObject({ status: 200, body: { url: OLD } })
      expect(await patch(id, { url })).toMatchObject({ status: 200, body: { url } })
    },
  )

  it('headers of one update never go to the URL of a concurrent one', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await make({ url: OLD })
      const [headers, url] = await Promise.all([patch(id, { headers: TOKEN }), patch(id, { url: 'https://elsewhere.example/' })])
      expect([headers.status, url.status]).toEqual([200, (await stored(id)).url === OLD ? 400 : 200])
    }
  })
})
