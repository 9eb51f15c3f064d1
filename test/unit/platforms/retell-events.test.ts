import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { retellAdapter } from '#shared/agents/platforms/retell/adapter.ts'
import { adapterWorld, DIAL_TIME, DIALLED_CALL } from '#test/support/platforms/adapter-world.ts'
import { startRetellEmulator } from '#test/support/platforms/retell-emulator.ts'

let world: Awaited<ReturnType<typeof retellWorld>>
const retellWorld = async () => adapterWorld(retellAdapter, await startRetellEmulator(), { assistant: 'agent_1', apiKey: 'key_test' })

beforeEach(async () => {
  world = await retellWorld()
})
afterEach(() => world.close())

const translate = (body: unknown) =>
  retellAdapter.translate({ url: 'https://example.com/', rawBody: typeof body === 'string' ? body : JSON.stringify(body), at: DIAL_TIME })

describe('a transfer', () => {
  it.each([
    ['cold_transfer', 'blind'],
    [{ type: 'agentic_warm_transfer' }, 'warm'],
  ])('a transfer by %j through Retell is reported as %s', async (transfer_option, mode) => {
    await world.dial()
    world.emulator.pickUp('call_1')
    world.emulator.tell('call_1', 'transfer_started', { transfer_option, transfer_destination: { number: '+12125550111' } })
    world.emulator.tell('call_1', 'transfer_bridged')
    world.emulator.tell('call_1', 'transfer_ended')
    expect((await world.translations()).some(({ unknown }) => unknown)).toBe(false)
    expect((await world.reports()).slice(1)).toEqual([
      { type: 'call.transfer_initiated', time: expect.any(String), data: { mode, destination: '+12125550111' } },
      { type: 'call.transfer_connected', time: expect.any(String), data: {} },
      { type: 'call.transfer_ended', time: expect.any(String), data: { reason: 'transfer_ended' } },
    ])
  })

  it('a transfer through Retell that fails is over', async () => {
    await world.dial()
    world.emulator.tell('call_1', 'transfer_cancelled')
    expect(await world.reports()).toMatchObject([{ type: 'call.transfer_ended', data: { reason: 'transfer_cancelled' } }])
  })
})

describe('a function of the assistant', () => {
  const invoke = async (name: string, args: unknown) => {
    await world.dial()
    world.emulator.invoke(world.eventsUrl, 'call_1', name, args)
    const [callback] = await world.callbacks()
    expect(retellAdapter.verify(world.connection, callback!)).toBe(true)
    return retellAdapter.translate(callback!)
  }

  it('a function that the assistant on Retell calls is reported with its arguments', async () => {
    expect(await invoke('note', { budget: '300' })).toEqual({
      callId: DIALLED_CALL,
      platformCallId: 'call_1',
      calledNumber: '+12125559999',
      reports: [],
      asks: [{ id: null, name: 'note', args: { budget: '300' }, time: new Date(DIAL_TIME).toISOString() }],
    })
  })

  it.each([
    ['book', null],
    ['note', 'text'],
  ])('a function %s of the assistant on Retell may have no arguments, such as %j', async (name, args) => {
    expect(await invoke(name, args)).toMatchObject({ asks: [{ name, args: null }] })
  })
})

describe('an event', () => {
  it.each([
    [{ event: 'call_paused', call: { call_id: 'c1' } }, 'event call_paused', 'c1'],
    [{ event: 'chat_started', chat: {} }, 'event chat_started without a call', null],
  ])('an unknown event of Retell such as %j is kept and named', (body, unknown, platformCallId) => {
    expect(translate(body)).toEqual({ callId: null, platformCallId, calledNumber: null, reports: [], unknown })
  })

  it('an event of Retell about the transcript only shows that the call is alive', () => {
    const told = translate({ event: 'transcript_updated', call: { call_id: 'c1' } })
    expect(told).toEqual({ callId: null, platformCallId: 'c1', calledNumber: null, reports: [] })
  })

  it.each([[''], ['<html>'], ['null'], ['[]'], ['{}'], [{ event: 7 }], [{ event: 'call_ended', call: {} }], [{ budget: '300' }]])(
    'an event of Retell that is %j is refused',
    (body) => {
      expect(() => translate(body)).toThrow(SyntaxError)
    },
  )

  it('an event, a function and a poll of Retell have the called number, because two deployments may use one account', async () => {
    const calledNumber = '+12125550123'
    const call = { call_id: 'c1', call_status: 'ended', disconnection_reason: 'user_hangup', to_number: calledNumber }
    for (const event of ['call_started', 'call_ended', 'call_analyzed']) expect(translate({ event, call })).toMatchObject({ calledNumber })
    expect(translate({ event: 'call_ended', call: { ...call, disconnection_reason: 'no_valid_payment' } })).toMatchObject({ calledNumber })
    expect(translate({ name: 'note', call, args: {} })).toMatchObject({ calledNumber })
    const polled = (call_status: string) =>
      retellAdapter.poll!(async () => ({ status: 200, text: JSON.stringify({ ...call, call_status }) }), world.connection, 'c1', DIAL_TIME)
    expect(await polled('ended')).toMatchObject({ kind: 'translated', translation: { calledNumber } })
    expect(await polled('ongoing')).toEqual({ kind: 'ongoing', callId: null, calledNumber })
  })

  it('an event of Retell of 10 MB is read', () => {
    expect(translate({ event: 'call_started', call: { call_id: 'c1', transcript: 'x'.repeat(10_000_000) } }).reports).toHaveLength(1)
  })

  it('an event of Retell with impossible times happened when it arrived', () => {
    const call = { call_id: 'c1', start_timestamp: 1e300, end_timestamp: -5, duration_ms: 'long', disconnection_reason: 'dial_busy' }
    for (const { time, data } of translate({ event: 'call_ended', call }).reports) {
      expect(time).toBe(new Date(DIAL_TIME).toISOString())
      expect(data?.['duration_seconds'] ?? 0).toBe(0)
    }
  })
})
