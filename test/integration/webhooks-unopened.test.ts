import { describe, expect, it } from '@jest/globals'
import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { openHeaders, sealHeaders } from '#shared/webhooks/sealed-headers.ts'
import { getSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { sealedSubscriptions } from '#test/support/sealed-subscriptions.ts'
import { OWNER } from '#test/support/world.ts'

const SECRET = 'Bearer s3cr3t-T0ken.of.the-customer'
const lines = captureLog()
const { opened, pending, receive, received, send, subscribe } = sealedSubscriptions()

describe('headers that cannot be decrypted', () => {
  it('headers that cannot be decrypted delay a delivery until they can', async () => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    const delivery = await pending(body.id)
    opened.refuse = true
    const log = await send(delivery)
    expect(log).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: null, error: 'The headers of the subscription could not be decrypted: nothing was sent.' }],
    })
    expect(log.next_attempt_time! - log.attempts[0]!.time).toBeGreaterThan(4_000)
    expect(received()).toHaveLength(0)
    expect(lines.join('')).toContain('The key is disabled.')
    opened.refuse = false
    passTime(10_000)
    expect(await send(delivery)).toMatchObject({ status: 'delivered' })
    expect(received().map(({ headers }) => headers['authorization'])).toEqual([SECRET])
  })

  const changes: readonly (readonly [string, (sealed: string) => string])[] = [
    ['of another format', (sealed) => sealed.replace(/^1/, '2')],
    ['cut off', (sealed) => sealed.slice(0, -4)],
    ['with another box', (sealed) => sealed.replace(/[^.]{8}$/, 'AAAAAAAA')],
    ['with another key', (sealed) => sealed.replace(/^1\.[^.]{8}/, '1.AAAAAAAA')],
    ['with no key', () => '1...'],
    ['nonsense', () => 'x'],
    ['empty', () => ''],
  ]
  it.each(changes)('headers that cannot be decrypted prevent the request: %s', async (_, change) => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    const stored = await getSubscription(OWNER, body.id)
    await saveSubscription({ ...stored!, headers: change(stored!.headers!) })
    expect(await send(await pending(body.id))).toMatchObject({
      status: 'pending',
      attempts: [{ error: expect.stringContaining('decrypted') }],
    })
    expect(received()).toHaveLength(0)
  })

  it('headers of another subscription or owner cannot be decrypted, and prevent the request', async () => {
    const whose = { owner: OWNER, id: 77 }
    const headers = await sealHeaders({ Authorization: SECRET }, whose)
    expect(await openHeaders({ ...whose, headers })).toEqual({ Authorization: SECRET })
    await expect(openHeaders({ ...whose, id: 78, headers })).rejects.toThrow()
    await expect(openHeaders({ ...whose, owner: 2, headers })).rejects.toThrow()
  })

  it('a key service that hangs fails the attempt of a delivery with headers', async () => {
    await receive()
    const { body } = await subscribe({ Authorization: SECRET })
    opened.hang = true
    const delivery = await pending(body.id)
    expect(await send(delivery)).toMatchObject({ status: 'pending', attempts: [{ error: expect.stringContaining('decrypted') }] })
  })
})

describe('a delivery whose headers cannot be decrypted', () => {
  const standingOf = async (id: number) => (await getSubscription(OWNER, id))!
  const earlier = { time: NOON, status_code: null, duration_ms: 0, error: 'x', response_body: null }

  it('a delivery whose headers cannot be decrypted does not start the five days of failures', async () => {
    const { body } = await subscribe({ Authorization: SECRET })
    opened.refuse = true
    for (const attempts of [[], [earlier], Array(9).fill(earlier)]) await send(await pending(body.id, { attempts }))
    expect(await standingOf(body.id)).toMatchObject({ enabled: true, failing_since: null })
  })

  it('a delivery whose headers cannot be decrypted does not end the five days of failures', async () => {
    await receive(() => ({ status: 500 }))
    const { body } = await subscribe({ Authorization: SECRET })
    const failing_since = NOON - 6 * DAY
    await saveSubscription({ ...(await standingOf(body.id)), failing_since })
    opened.refuse = true
    expect(await send(await pending(body.id, { attempts: [earlier] }))).toMatchObject({ status: 'pending' })
    expect(await standingOf(body.id)).toMatchObject({ enabled: true, failing_since })
    opened.refuse = false
    expect(await send(await pending(body.id, { attempts: Array(9).fill(earlier) }))).toMatchObject({ status: 'disabled' })
    expect(await standingOf(body.id)).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('five days') })
  })

  it('a delivery whose headers cannot be decrypted does not change whether its destination is slow', async () => {
    const { body } = await subscribe({ Authorization: SECRET })
    opened.hang = true
    expect(await send(await pending(body.id))).toMatchObject({ attempts: [{ error: expect.stringContaining('decrypted') }] })
    expect(await standingOf(body.id)).toMatchObject({ slow_since: null })
    Object.assign(opened, { hang: false, refuse: true })
    await saveSubscription({ ...(await standingOf(body.id)), slow_since: NOON })
    // Each when its turn has come.
    for (let count = 1; count <= 6; count++) {
      setClock(NOON + count * MINUTE)
      expect((await send(await pending(body.id), { waited: 0 })).attempts).toHaveLength(1)
    }
    expect(await standingOf(body.id)).toMatchObject({ slow_since: NOON })
  })
})
