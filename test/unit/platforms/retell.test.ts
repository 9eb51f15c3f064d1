import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { retellAdapter } from '#shared/agents/platforms/retell/adapter.ts'
import { adapterWorld, DIAL_TIME, DIALLED_CALL } from '#test/support/platforms/adapter-world.ts'
import { ask, cancelOf } from '#test/support/platforms/emulator.ts'
import { startRetellEmulator } from '#test/support/platforms/retell-emulator.ts'

let world: Awaited<ReturnType<typeof retellWorld>>
const retellWorld = async () => adapterWorld(retellAdapter, await startRetellEmulator(), { assistant: 'agent_1', apiKey: 'key_test' })

beforeEach(async () => {
  world = await retellWorld()
})
afterEach(() => world.close())

describe('a dial', () => {
  it('a dial through Retell names the assistant, the variables, our id, the longest duration and the callback URL', async () => {
    expect(await world.dial()).toEqual({ kind: 'accepted', platformCallId: 'call_1' })
    expect(world.emulator.rung).toEqual([{ platformCallId: 'call_1', to: '+12125559999', from: '+12125550100', callId: DIALLED_CALL }])
    expect(JSON.parse(world.emulator.seen[0]!.body)).toMatchObject({
      override_agent_id: 'agent_1',
      agent_override: { agent: { webhook_url: world.dialTo().callbackUrl, max_call_duration_ms: 600_000 } },
      retell_llm_dynamic_variables: { first_name: 'Ada' },
    })
  })

  it.each([
    [1, 60_000],
    [90_000, 7_200_000],
  ])('a call through Retell of %d seconds at most is limited to what Retell accepts', (longestSeconds, ms) => {
    const { body = '' } = retellAdapter.request(world.connection, { ...world.dialTo(), longestSeconds })
    expect(JSON.parse(body).agent_override.agent.max_call_duration_ms).toBe(ms)
  })

  it.each([
    ['3', 3],
    ['prod', 'prod'],
  ])('a dial through Retell names the version %s of the assistant when it is set', (version, sent) => {
    const { body = '' } = retellAdapter.request({ ...world.connection, settings: { agent_version: version } }, world.dialTo())
    expect(JSON.parse(body).override_agent_version).toBe(sent)
  })

  it.each<[string, Partial<Connection>, string, string]>([
    ['a wrong key', { apiKey: 'key_wrong' }, 'Retell answered 401.', 'API key is missing or invalid.'],
    ['an unknown assistant', { assistant: 'agent_9' }, 'Retell answered 422.', 'Cannot find requested asset under given api key.'],
  ])('a refused dial through Retell with %s is the fault of the account', async (_, wrong, reason, words) => {
    expect(await world.dial(undefined, wrong)).toMatchObject({ kind: 'refused', fault: 'account', reason, words })
    expect(world.emulator.rung).toEqual([])
  })

  it('a refused dial through Retell from a number that the account lacks is the fault of the account', async () => {
    const answer = await ask(retellAdapter.request(world.connection, { ...world.dialTo(), from: { number: '+12125550199', id: null } }))
    expect(retellAdapter.classify(answer)).toMatchObject({ kind: 'refused', fault: 'account' })
  })

  it('a malformed dial through Retell is refused, and never blames the number', async () => {
    expect(await world.dial('+1')).toMatchObject({ kind: 'refused', fault: 'call' })
  })

  it.each([
    [402, { message: 'Trial has ended, please add payment method.' }],
    [403, '<html>Forbidden</html>'],
    [404, '<html>Not Found</html>'],
    [429, { message: 'Account rate limited, please throttle your requests.' }],
  ])('a dial through Retell that is answered with %d holds up the account', async (status, body) => {
    world.emulator.dialFault = { status, body }
    expect(await world.dial()).toMatchObject({ kind: 'refused', fault: 'account' })
  })

  it.each<[string, { status: number; body?: unknown; headers?: Record<string, string> }]>([
    ['500', { status: 500, body: { status: 'error', message: 'An unexpected server error occurred.' } }],
    ['a page of HTML', { status: 200, body: '<html>Hello</html>' }],
    ['nothing', { status: 201 }],
    ['JSON without an id', { status: 201, body: { call_status: 'registered' } }],
    ['an empty id', { status: 201, body: { call_id: '' } }],
    ['a redirect', { status: 307, headers: { location: 'https://example.com/' } }],
    ['a timeout of a proxy', { status: 408 }],
    ['a conflict', { status: 409 }],
    ['10 MB', { status: 200, body: 'x'.repeat(10_000_000) }],
  ])('a dial through Retell that is answered with %s may have been placed', async (_, fault) => {
    world.emulator.dialFault = fault
    const answer = await world.dial()
    expect(answer.kind).toBe('unclear')
    expect('reason' in answer && answer.reason.length).toBeLessThan(250)
  })
})

describe('a call whose answer was lost', () => {
  it('a call whose answer was lost is found by our id when Retell has placed it', async () => {
    world.emulator.dialFault = 'lost-after'
    await expect(world.dial()).rejects.toThrow()
    expect(await retellAdapter.find!(ask, world.connection, world.dialTo())).toBe('call_1')
  })

  it('a call is not found when Retell never got the request', async () => {
    world.emulator.dialFault = 'lost-before'
    await expect(world.dial()).rejects.toThrow()
    expect(await retellAdapter.find!(ask, world.connection, world.dialTo())).toBeNull()
  })

  it('a call whose answer Retell lost is never taken for an earlier call of another stage with the same id', async () => {
    const earlier = { call_id: 'a', metadata: { call_id: DIALLED_CALL }, start_timestamp: DIAL_TIME - 61_000 }
    const later = { ...earlier, call_id: 'b', start_timestamp: DIAL_TIME - 59_000 }
    const find = (items: readonly object[]) => {
      const text = JSON.stringify({ items, has_more: false })
      return retellAdapter.find!(async () => ({ status: 200, text }), world.connection, world.dialTo())
    }
    expect(await find([earlier])).toBeNull()
    expect(await find([earlier, later])).toBe('b')
    expect(await find([{ ...later, to_number: '+12125550199' }])).toBeNull()
    expect(
      await find([
        { ...later, to_number: '+12125550199' },
        { ...later, call_id: 'c', to_number: world.dialTo().to },
      ]),
    ).toBe('c')
  })

  it.each([
    ['an error', 500, {}],
    ['HTML', 200, '<html></html>'],
    ['a list that is cut and lacks it', 200, { items: [{ call_id: 'other', metadata: { call_id: 'x' } }], has_more: true }],
    ['a list that does not say whether it is cut', 200, { items: [] }],
  ])('the search for a call whose answer Retell lost is not given up after %s', async (_, status, body) => {
    const answer = { status, text: typeof body === 'string' ? body : JSON.stringify(body) }
    await expect(retellAdapter.find!(async () => answer, world.connection, world.dialTo())).rejects.toThrow()
  })

  it('a call whose answer Retell lost is never taken for another call, even when Retell ignores the filter', async () => {
    const text = JSON.stringify({ items: [{ call_id: 'a' }, { call_id: 'b', metadata: { call_id: DIALLED_CALL } }], has_more: true })
    expect(await retellAdapter.find!(async () => ({ status: 200, text }), world.connection, world.dialTo())).toBe('b')
  })
})

describe('a cancellation', () => {
  const cancel = (id = 'call_1') => retellAdapter.cancel!(ask, world.connection, cancelOf(id))

  it('a cancellation through Retell ends a conversation, which Retell reports as stopped by hand', async () => {
    await world.dial()
    world.emulator.pickUp('call_1')
    expect(await cancel()).toBe('taken')
    expect((await world.reports()).at(-1)).toMatchObject({ type: 'call.ended', data: { presumed_outcome: 'completed' } })
  })

  it('a cancellation must be tried again while the phone rings, because Retell ends only conversations', async () => {
    await world.dial()
    expect(await cancel()).toBe('failed')
    world.emulator.pickUp('call_1')
    expect(await cancel()).toBe('taken')
  })

  it('the cancellation through Retell of a call that is over or unknown needs nothing', async () => {
    await world.dial()
    world.emulator.finish('call_1', 'dial_busy')
    expect(await cancel()).toBe('taken')
    expect(await cancel('call_9')).toBe('taken')
  })

  it('a cancellation that Retell cannot take must be tried again', async () => {
    expect(await retellAdapter.cancel!(async () => ({ status: 500, text: '<html>' }), world.connection, cancelOf('call_1'))).toBe('failed')
  })
})

describe('a poll', () => {
  const poll = (id = 'call_1') => retellAdapter.poll!(ask, world.connection, id, DIAL_TIME)

  it('a poll of Retell says that a call goes on until it is over, and then reports all of it', async () => {
    await world.dial()
    const about = { callId: DIALLED_CALL, calledNumber: '+12125559999' }
    expect(await poll()).toEqual({ kind: 'ongoing', ...about, isWaiting: true })
    world.emulator.pickUp('call_1')
    expect(await poll()).toEqual({ kind: 'ongoing', ...about })
    world.emulator.finish('call_1', 'agent_hangup')
    const types = async () => {
      const polled = await poll()
      return polled.kind === 'translated' ? polled.translation.reports.map(({ type }) => type) : polled.kind
    }
    expect(await types()).toEqual(['call.answered', 'call.ended'])
    world.emulator.analyze('call_1')
    expect(await types()).toEqual(['call.answered', 'call.ended', 'call.completed'])
  })

  it('a poll of Retell says that a call is gone when Retell does not know it', async () => {
    expect(await poll('call_9')).toEqual({ kind: 'gone' })
  })

  it.each([
    [401, '{}'],
    [500, '<html>'],
    [302, ''],
    [200, '<html>'],
    [200, '{}'],
  ])('a poll of Retell says nothing after %d with %j', async (status, text) => {
    await expect(retellAdapter.poll!(async () => ({ status, text }), world.connection, 'call_1', DIAL_TIME)).rejects.toThrow()
  })
})
