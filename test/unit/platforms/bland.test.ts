import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { Connection } from '#shared/agents/platforms/adapter.ts'
import { SPOKEN_OUTCOMES } from '#shared/agents/platforms/analysis.ts'
import { blandAdapter } from '#shared/agents/platforms/bland/adapter.ts'
import { adapterWorld, DIAL_TIME, DIALLED_CALL } from '#test/support/platforms/adapter-world.ts'
import { startBlandEmulator } from '#test/support/platforms/bland-emulator.ts'
import { ask, cancelOf } from '#test/support/platforms/emulator.ts'

let world: Awaited<ReturnType<typeof blandWorld>>
const blandWorld = async () => {
  const emulator = await startBlandEmulator({ personas: ['persona_1'] })
  return adapterWorld(blandAdapter, emulator, { assistant: 'pathway_1', apiKey: 'sk_test', callbackSecret: 'bland_secret' })
}

beforeEach(async () => {
  world = await blandWorld()
})
afterEach(() => world.close())

const sentBody = (account: Partial<Connection> = {}, longestSeconds = 600) =>
  JSON.parse(blandAdapter.request({ ...world.connection, ...account }, { ...world.dialTo(), longestSeconds }).body ?? '')

describe('a dial through Bland', () => {
  it('a dial through Bland places one call with the pathway, the variables, our id, the outcomes and the callback URL', async () => {
    expect(await world.dial()).toEqual({ kind: 'accepted', platformCallId: 'c_1' })
    expect(world.emulator.rung).toEqual([{ platformCallId: 'c_1', to: '+12125559999', from: '+12125550100', callId: DIALLED_CALL }])
    expect(JSON.parse(world.emulator.seen[0]!.body)).toMatchObject({
      pathway_id: 'pathway_1',
      request_data: { first_name: 'Ada' },
      webhook: world.dialTo().callbackUrl,
      max_duration: 10,
      dispositions: [...SPOKEN_OUTCOMES],
      analysis_schema: { outcome: expect.stringContaining('do_not_call') },
    })
  })

  it('a dial through Bland leaves the time and repeats to us', () => {
    expect(sentBody()).not.toHaveProperty('start_time')
    expect(sentBody()).not.toHaveProperty('retry')
  })

  it.each([
    [1, 1],
    [119, 1],
    [3600, 60],
  ])('a call through Bland of %d seconds at most ends after %d minutes', (longestSeconds, minutes) => {
    expect(sentBody({}, longestSeconds).max_duration).toBe(minutes)
  })

  it('a dial through Bland can name a persona, a version of a pathway, and a message for machines', async () => {
    const persona = { assistant: 'persona_1', settings: { assistant_type: 'persona' } }
    expect(await world.dial(undefined, persona)).toMatchObject({ kind: 'accepted' })
    expect(sentBody(persona)).toMatchObject({ persona_id: 'persona_1' })
    const settings = { pathway_version: '3', voicemail_message: 'Please call back.' }
    expect(sentBody({ settings })).toMatchObject({
      pathway_version: 3,
      voicemail: { action: 'leave_message', message: 'Please call back.' },
    })
  })

  it.each<[string, Partial<Connection>, string, string]>([
    ['a wrong key', { apiKey: 'sk_wrong' }, 'Bland answered 401.', 'AUTH_FAILURE Unauthorized'],
    ['an unknown pathway', { assistant: 'pathway_9' }, 'Bland answered 400.', 'Pathway not found.'],
  ])('a refused dial through Bland with %s is the fault of the account', async (_, wrong, reason, words) => {
    expect(await world.dial(undefined, wrong)).toMatchObject({ kind: 'refused', fault: 'account', reason, words })
    expect(world.emulator.rung).toEqual([])
  })

  it('a refused dial through Bland from a number that the account lacks is the fault of the account', async () => {
    const answer = await ask(blandAdapter.request(world.connection, { ...world.dialTo(), from: { number: '+12125550199', id: null } }))
    expect(blandAdapter.classify(answer)).toMatchObject({ kind: 'refused', fault: 'account' })
  })

  it('a malformed dial through Bland is refused, and never blames the number', async () => {
    expect(await world.dial('+1')).toMatchObject({ kind: 'refused', fault: 'call' })
  })

  const coded = (error: string) => ({ data: null, errors: [{ error, message: 'Refused.' }] })

  it.each<[number, unknown, 'account' | 'call']>([
    [402, { status: 'error', message: 'Pay.' }, 'account'],
    [403, '<html>Forbidden</html>', 'account'],
    [404, '<html>Not Found</html>', 'account'],
    [429, coded('CALL_RL_PLAN_CONCURRENCY'), 'account'],
    [400, coded('CALL_RL_PLAN_DAILY_MINUTES'), 'account'],
    [400, { status: 'error', message: 'Insufficient balance.' }, 'account'],
    [403, coded('CALL_PLAN_DESTINATION_BLOCKED'), 'call'],
    [402, coded('CALL_UNPAID_INTL_BLOCK'), 'call'],
    [422, { status: 'error', errors: ['What?'] }, 'call'],
    [200, { status: 'error', message: 'What?' }, 'call'],
    [200, { status: 'error', ...coded('CALL_RL_HOURLY') }, 'account'],
  ])('a dial through Bland that is answered with %d and %j is the fault of the %s', async (status, body, fault) => {
    world.emulator.dialFault = { status, body }
    expect(await world.dial()).toMatchObject({ kind: 'refused', fault })
  })

  it.each<[string, { status: number; body?: unknown; headers?: Record<string, string> }]>([
    ['500', { status: 500, body: { status: 'error', message: 'Internal server error.' } }],
    ['a page of HTML', { status: 200, body: '<html>Hello</html>' }],
    ['nothing', { status: 200 }],
    ['success without an id', { status: 200, body: { status: 'success' } }],
    ['an id without success', { status: 200, body: { call_id: 'c_1' } }],
    ['an error with an id', { status: 200, body: { status: 'error', call_id: 'c_1' } }],
    ['a redirect', { status: 308, headers: { location: 'https://example.com/' } }],
    ['a timeout of a proxy', { status: 408 }],
    ['10 MB', { status: 200, body: 'x'.repeat(10_000_000) }],
  ])('a dial through Bland that is answered with %s may have been placed', async (_, fault) => {
    world.emulator.dialFault = fault
    const answer = await world.dial()
    expect(answer.kind).toBe('unclear')
    expect('reason' in answer && answer.reason.length).toBeLessThan(250)
  })
})

describe('a call whose answer Bland lost', () => {
  const find = () => blandAdapter.find!(ask, world.connection, world.dialTo())

  it('a call whose answer Bland lost is found by our id among the calls to the number', async () => {
    await ask(blandAdapter.request(world.connection, { ...world.dialTo(), callId: 'another' }))
    world.emulator.dialFault = 'lost-after'
    await expect(world.dial()).rejects.toThrow()
    expect(await find()).toBe('c_2')
  })

  it('a call is not found when Bland never got the request', async () => {
    await ask(blandAdapter.request(world.connection, { ...world.dialTo(), callId: 'another' }))
    world.emulator.dialFault = 'lost-before'
    await expect(world.dial()).rejects.toThrow()
    expect(await find()).toBeNull()
  })

  it('a call whose answer Bland lost is not sought among calls from before', async () => {
    await world.dial()
    const later = { ...world.dialTo(), intentTime: DIAL_TIME + 60_001 }
    expect(await blandAdapter.find!(ask, world.connection, later)).toBeNull()
  })

  const other = { call_id: 'c_8', created_at: new Date(DIAL_TIME).toISOString() }
  it.each<[string, number, unknown]>([
    ['an error', 500, {}],
    ['HTML', 200, '<html></html>'],
    ['a list that is cut', 200, { ...other, count: 2, calls: [other] }],
    ['a list that is cut and says how many there are', 200, { ...other, total_count: 5, calls: [] }],
    ['a full page', 200, { ...other, calls: Array.from({ length: 1000 }, () => ({ call_id: 'c_8', created_at: '2020-01-01T00:00:00Z' })) }],
    ['a list without ids', 200, { calls: [{}] }],
  ])('the search for a call whose answer Bland lost is not given up after %s', async (_, status, body) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    await expect(blandAdapter.find!(async () => ({ status, text }), world.connection, world.dialTo())).rejects.toThrow()
  })
})

describe('a cancellation through Bland', () => {
  const cancel = (id = 'c_1') => blandAdapter.cancel!(ask, world.connection, cancelOf(id))

  it('a cancellation through Bland ends a call in the queue, while it rings and during the conversation', async () => {
    await world.dial()
    expect(await cancel()).toBe('taken')
    expect((await world.reports()).at(-1)).toMatchObject({ type: 'call.completed', data: { outcome: 'failed' } })
    await world.dial()
    world.emulator.progress('c_2', 'started')
    expect(await cancel('c_2')).toBe('taken')
  })

  it('a cancellation must be tried again while Bland has no phone call for it', async () => {
    await world.dial()
    world.emulator.progress('c_1', 'allocated')
    expect(await cancel()).toBe('failed')
    world.emulator.progress('c_1', 'started')
    expect(await cancel()).toBe('taken')
  })

  it('the cancellation through Bland of a call that is over or unknown needs nothing', async () => {
    await world.dial()
    world.emulator.finish('c_1', { status: 'busy', completed: true })
    expect(await cancel()).toBe('taken')
    expect(await cancel('c_9')).toBe('taken')
  })

  it('a cancellation that Bland cannot take must be tried again', async () => {
    expect(await blandAdapter.cancel!(async () => ({ status: 500, text: '<html>' }), world.connection, cancelOf('c_1'))).toBe('failed')
  })
})
