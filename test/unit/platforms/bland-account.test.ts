import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { Connection, PlatformCallback } from '#shared/agents/platforms/adapter.ts'
import { blandAdapter } from '#shared/agents/platforms/bland/adapter.ts'
import { checkBland } from '#shared/agents/platforms/bland/check.ts'
import { blandTools } from '#shared/agents/platforms/bland/tools.ts'
import { DIAL_TIME } from '#test/support/platforms/adapter-world.ts'
import { type BlandOptions, startBlandEmulator } from '#test/support/platforms/bland-emulator.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import { offeredTools } from '#test/support/platforms/offered-tools.ts'

const CONNECTION: Connection = { api: '', assistant: 'pathway_1', apiKey: 'sk_test', callbackSecret: 'bland_secret', settings: {} }

describe('a signature of Bland', () => {
  const BODY = '{"event":"call_ended","call":{"call_id":"c1"}}'
  const VECTOR = '0488b88fbbf81f238956f6d074e4410fd8446157cdd678fbdaa6dba73cde1bcb'
  const isGenuine = (signature: string | undefined, changes: Partial<PlatformCallback> = {}, account: Partial<Connection> = {}) => {
    const headers: Record<string, string> = signature === undefined ? {} : { 'x-webhook-signature': signature }
    const callback = { url: 'https://example.com/', rawBody: BODY, at: DIAL_TIME, headers, ...changes }
    return blandAdapter.verify({ ...CONNECTION, ...account }, callback)
  }

  it('a signature of Bland is accepted at any time, for it has none', () => {
    expect(isGenuine(VECTOR)).toBe(true)
    expect(isGenuine(VECTOR.toUpperCase(), { at: 0 })).toBe(true)
  })

  it.each<[string, string | undefined, Partial<PlatformCallback>, Partial<Connection>]>([
    ['foreign', VECTOR, {}, { callbackSecret: 'other' }],
    ['not checkable without a secret', VECTOR, {}, { callbackSecret: null }],
    ['made with an empty secret', createHmac('sha256', '').update(BODY).digest('hex'), {}, { callbackSecret: '' }],
    ['made with the API key', createHmac('sha256', 'sk_test').update(BODY).digest('hex'), {}, {}],
    ['of another body', VECTOR, { rawBody: `${BODY} ` }, {}],
    ['missing', undefined, {}, {}],
    ['empty', '', {}, {}],
    ['short', VECTOR.slice(0, -1), {}, {}],
    ['long', `${VECTOR}0`, {}, {}],
    ['no number', VECTOR.replace('0', 'x'), {}, {}],
  ])('a signature of Bland that is %s is refused', (_, signature, changes, account) => {
    expect(isGenuine(signature, changes, account)).toBe(false)
  })
})

describe('a check of Bland', () => {
  const problems = async (options: BlandOptions = {}, account: Partial<Connection> = {}, from = ['+12125550100']) => {
    const tools = offeredTools('do_not_call').map((tool) => Object(blandTools.define(tool)))
    const emulator = await startBlandEmulator({ tools, ...options })
    const numbers = from.map((number) => ({ number, id: null }))
    const advice = await checkBland(
      ask,
      { ...CONNECTION, api: emulator.url, ...account },
      numbers,
      'https://example.com/',
      offeredTools('do_not_call'),
    )
    await emulator.close()
    expect(emulator.seen.every(({ method }) => method === 'GET')).toBe(true)
    return advice.map(({ problem }) => problem)
  }

  it('the check of a Bland account finds nothing when all is well', async () => {
    expect(await problems({ numbers: ['+12125550100', '+12125550101'] }, {}, ['+12125550100', '+12125550101'])).toEqual([])
    const persona = { assistant: 'persona_1', settings: { assistant_type: 'persona' } }
    expect(await problems({ personas: ['persona_1'] }, persona)).toEqual([])
  })

  it.each<[BlandOptions, Partial<Connection>, string]>([
    [{}, { apiKey: 'sk_wrong' }, 'Bland rejects the API key. Copy it from the account settings.'],
    [{ account: { status: 'suspended' } }, {}, 'The status of the account is "suspended", not "active". Ask the support of Bland.'],
    [
      { account: { status: 'active', billing: { current_balance: 0 } } },
      {},
      'The balance of the account is 0. Buy credits, or switch on the automatic refill.',
    ],
    [
      {},
      { assistant: 'pathway_9' },
      'Bland answered 404 about the pathway pathway_9. Copy its id from the dashboard. If it is a persona, set assistant_type to persona.',
    ],
    [
      {},
      { assistant: 'persona_9', settings: { assistant_type: 'persona' } },
      'Bland answered 404 about the persona persona_9. Copy its id from the dashboard.',
    ],
    [
      {},
      { callbackSecret: null },
      'No webhook secret is set, so every callback is refused. Create one in the account settings of Bland, under "Keys".',
    ],
  ])('the check of a Bland account with %j and %j says what to do', async (options, account, problem) => {
    expect(await problems(options, account)).toEqual([problem])
  })

  it('the check of a Bland account names a tool that the account lacks, or that calls another URL', async () => {
    const missing = expect.stringContaining('it has no tool do_not_call. Create it, with POST /v1/tools')
    expect(await problems({ tools: [] })).toEqual([missing])
    expect(await problems({ tools: [{ name: 'do_not_call', url: 'https://other/' }] })).toEqual([missing])
  })

  it('the check of a Bland account names a number that the account lacks', async () => {
    expect(await problems({}, {}, ['+12125550100', '+12125550199'])).toEqual([
      'Bland does not list the number +12125550199. Buy it there, import it, or remove it from this agent.',
    ])
  })

  it.each([
    [200, '<html>', 'Bland answered 200, but not with an account.'],
    [302, '', 'Bland answered 302, but not with an account.'],
    [403, '{}', 'Bland has blocked the account.'],
  ])('the check of a Bland account does not fail at an answer of %d with %j', async (status, text, problem) => {
    const advice = await checkBland(async () => ({ status, text }), CONNECTION, [], 'https://example.com/', [])
    expect(advice).toEqual([{ problem: expect.stringContaining(problem) }])
  })
})
