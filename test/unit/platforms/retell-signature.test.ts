import { describe, expect, it } from '@jest/globals'
import { symmetric, verify } from 'retell-sdk/lib/webhook_auth'
import type { Connection, PlatformCallback } from '#shared/agents/platforms/adapter.ts'
import { retellAdapter } from '#shared/agents/platforms/retell/adapter.ts'
import { DIAL_TIME } from '#test/support/platforms/adapter-world.ts'

const connection: Connection = { api: '', assistant: '', apiKey: 'key_test', callbackSecret: null, settings: {} }

describe('a signature', () => {
  const BODY = '{"event":"call_ended","call":{"call_id":"c1"}}'
  const VECTOR = 'v=1795000000000,d=a0a9394b7ae3b6701e4c440d2af53d27feed401ea1d3c5b61515601697221a3b'
  const isGenuine = (signature: string | undefined, changes: Partial<PlatformCallback> = {}, key: Partial<Connection> = {}) =>
    retellAdapter.verify(
      { ...connection, ...key },
      {
        url: 'https://example.com/',
        rawBody: BODY,
        at: DIAL_TIME,
        headers: signature === undefined ? {} : { 'x-retell-signature': signature },
        ...changes,
      },
    )

  it('a signature that Retell makes is accepted, and so is the test vector, which Retell accepts', async () => {
    expect(isGenuine(await symmetric.sign(BODY, 'key_test', DIAL_TIME))).toBe(true)
    expect(isGenuine(VECTOR)).toBe(true)
    expect(await symmetric.verify(BODY, 'key_test', VECTOR, { timestamp: DIAL_TIME })).toBe(true)
    const now = Date.now()
    const fresh = await symmetric.sign(BODY, 'key_test', now)
    expect([await verify(BODY, 'key_test', fresh), isGenuine(fresh, { at: now })]).toEqual([true, true])
  })

  const MINUTES = 60_000
  it.each<[string, string | undefined, Partial<PlatformCallback>, Partial<Connection>]>([
    ['foreign', VECTOR, {}, { apiKey: 'key_other' }],
    ['made with an empty key', 'v=1795000000000,d=x', {}, { apiKey: '' }],
    ['of another body', VECTOR, { rawBody: `${BODY} ` }, {}],
    ['too old', VECTOR, { at: DIAL_TIME + 5 * MINUTES + 1 }, {}],
    ['from the future', VECTOR, { at: DIAL_TIME - 5 * MINUTES - 1 }, {}],
    ['missing', undefined, {}, {}],
    ['empty', '', {}, {}],
    ['without a digest', 'v=1795000000000', {}, {}],
    ['with a short digest', VECTOR.slice(0, -1), {}, {}],
    ['with a long digest', `${VECTOR}0`, {}, {}],
    ['without digits', VECTOR.replace('1795000000000', 'NaN'), {}, {}],
    ['with an endless time', VECTOR.replace('1795000000000', '9'.repeat(400)), {}, {}],
  ])('a signature of Retell that is %s is refused, as the vendor refuses it', async (_, signature, changes, key) => {
    expect(isGenuine(signature, changes, key)).toBe(false)
    const { rawBody = BODY, at = DIAL_TIME } = changes
    const secret = key.apiKey ?? 'key_test'
    if (secret !== '') expect(await symmetric.verify(rawBody, secret, signature ?? '', { timestamp: at })).toBe(false)
  })

  it.each([[DIAL_TIME + 5 * MINUTES], [DIAL_TIME - 5 * MINUTES]])(
    'a signature of Retell is accepted at %d, as the vendor accepts it',
    async (at) => {
      expect(isGenuine(VECTOR, { at })).toBe(true)
      expect(await symmetric.verify(BODY, 'key_test', VECTOR, { timestamp: at })).toBe(true)
    },
  )
})
