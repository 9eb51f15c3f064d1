import { describe, expect, it } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { takeSendTurn } from '#shared/webhooks/pace-store.ts'
import { getSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'
import { sealedSubscriptions } from '#test/support/sealed-subscriptions.ts'
import { OWNER } from '#test/support/world.ts'

const { ask, pending, receive, received, send, subscribe } = sealedSubscriptions()

const OLD = 'https://example.com/hook'
const NEW = 'https://example.com/new'
const TOKEN = { Authorization: 'Bearer 0123' }
const DAY = 86_400_000

const patch = (id: number, body: unknown) => ask('update', 'PATCH', `/api/webhooks/${id}/`, { id, body })

const stored = async (id: number): Promise<Subscription> => (await getSubscription(OWNER, id))!

const make = async (fields: Record<string, unknown> = {}): Promise<number> => (await subscribe(undefined, fields)).body.id

/** Changes a stored subscription in ways that no client can. */
const mark = async (id: number, fields: Partial<Subscription>) => saveSubscription({ ...(await stored(id)), ...fields })

const logOf = async (id: number) => (await ask('deliveries', 'GET', `/api/webhooks/${id}/deliveries/`, { id })).body.results

describe('deliveries of a changed subscription', () => {
  it("deliveries and retries go to the subscription's URL of the moment, and the log tells each URL", async () => {
    await receive(({ path }) => ({ status: path === '/hook' ? 500 : 200 }))
    const id = await make()
    const { url } = await stored(id)
    const failed = await send(await pending(id))
    expect((await logOf(id))[0].attempts).toMatchObject([{ status_code: 500, url }])
    const to = url.replace('/hook', '/new/{{id}}')
    await patch(id, { url: to, method: 'PUT', headers: TOKEN, trigger: ['CALL_DNC'] })
    expect((await logOf(id))[0].attempts).toMatchObject([{ status_code: 500, url }])
    await ask('resend', 'POST', `/api/webhooks/${id}/deliveries/${failed.delivery_id}/resend/`, { id, delivery: failed.delivery_id })
    expect(await send(failed)).toMatchObject({ status: 'delivered' })
    expect((await logOf(id))[0].attempts).toMatchObject([
      { status_code: 500, url },
      { status_code: 200, url: to },
    ])
    expect(received().map((one) => [one.method, one.path, one.headers['authorization']])).toEqual([
      ['POST', '/hook', undefined],
      ['PUT', '/new/1', 'Bearer 0123'],
    ])
    await patch(id, { url })
    await send(await pending(id, { event_id: 'later' }))
    expect((await logOf(id)).map(({ attempts }: { attempts: { url: string }[] }) => attempts.map((one) => one.url))).toEqual([
      [url],
      [url, to],
    ])
  })

  it('the delivery log shows no URL for an attempt of a run that ended at about the time of a change', async () => {
    await receive()
    const id = await make()
    const { url } = await stored(id)
    await patch(id, { url: `${url}/new` })
    await send(await pending(id, { begun_time: now() - 1 }))
    expect((await logOf(id))[0].attempts).toMatchObject([{ url: null, status_code: null }, { url: `${url}/new` }])
  })

  it.each([410, 500])('a changed subscription is not blamed for an answer of its former URL: %i', async (status) => {
    let id = 0
    await receive(async () => {
      await patch(id, { url: NEW })
      return { status }
    })
    id = await make()
    const { url } = await stored(id)
    await mark(id, { failing_since: now() - 6 * DAY })
    const earlier = { time: now(), status_code: 500, duration_ms: 1, error: null, response_body: null }
    const log = await send(await pending(id, { attempts: Array(9).fill(earlier) }))
    expect(log).toMatchObject({ status: 'failed' })
    expect(await stored(id)).toMatchObject({ url: NEW, enabled: true, failing_since: null, slow_since: null })
    expect((await logOf(id))[0].attempts.at(-1)).toMatchObject({ status_code: status, url })
  })

  it.each([
    [{ url: NEW }, null, 1],
    [{ url: 'https://elsewhere.example.com/new' }, null, null],
    [{ headers: TOKEN }, null, 1],
    [{ method: 'PATCH' }, null, 1],
    [{ url: OLD, method: 'POST', trigger: ['LEAD_LOST'], filter_condition: "has('a')" }, 1, 1],
  ])(
    'a failing subscription begins its five days anew when a change affects what is sent where: %j',
    async (body, failing_since, slow_since) => {
      const id = await make({ url: OLD })
      await mark(id, { failing_since: 1, slow_since: 1 })
      await takeSendTurn(id, now())
      expect(await patch(id, body)).toMatchObject({ status: 200 })
      expect(await stored(id)).toMatchObject({ failing_since, slow_since })
    },
  )
})
