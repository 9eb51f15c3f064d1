import { describe, expect, it } from '@jest/globals'
import { readAgent } from '#shared/agents/agent-store.ts'
import { takeFromPlatform } from '#shared/agents/take-from-platform.ts'
import { translateCallback } from '#shared/agents/voice-agent.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime } from '#test/support/clock.ts'
import { leadNow, phoneOf } from '#test/support/lead-requests.ts'
import type { startRetellEmulator } from '#test/support/platforms/retell-emulator.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'
import type { startVapiEmulator } from '#test/support/platforms/vapi-emulator.ts'

const world = toolWorld()
const { platform, agentKey, answers, called, deliver, place, queued, talking, send } = world
const lines = captureLog()

describe('a second call that a platform placed for one attempt', () => {
  world.on('vapi')

  const vapi = () => platform() as Awaited<ReturnType<typeof startVapiEmulator>>

  /** Sends the request for the first call again, which the platform takes for another one. */
  const doubled = async () => {
    const first = await talking()
    const { method, headers, body } = vapi().seen.find(({ path }) => path === '/call')!
    const { authorization = '' } = headers
    await fetch(`${vapi().url}/call`, { method, headers: { authorization, 'content-type': 'application/json' }, body })
    await deliver()
    return { ...first, second: vapi().rung.at(-1)!.platformCallId }
  }

  it('a second call for one attempt whose outcome is do_not_call stops further calls, and cancels the first call', async () => {
    const { call, lead, id, second } = await doubled()
    expect(second).not.toBe(id)
    vapi().release(second, { analysis: { structuredData: { outcome: 'do_not_call' } } })
    await deliver()
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await getCall(call)).toMatchObject({ provider_call_id: id, ended_time: null, completed_time: null, call_stopped: null })
    await place(await queued())
    await deliver()
    expect(await getCall(call)).toMatchObject({ provider_call_id: id, ended_time: expect.any(Number) })
  })

  it('a stop that the assistant of a second call reports applies at once, and its other tools are refused', async () => {
    const { call, lead, second } = await doubled()
    await vapi().useTools(second, { name: 'note', arguments: { note: 'Old roof.' } }, { name: 'do_not_call', arguments: {} })
    const [answer] = await answers()
    expect(answer).toMatchObject({
      status: 200,
      body: {
        results: [
          { error: 'This call is not known. Nothing was done.' },
          { result: expect.stringContaining('This person must not be called: say goodbye and end the call.') },
        ],
      },
    })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true })
    expect((await leadNow(lead)).metadata).not.toHaveProperty('note')
    await place(await queued())
    await deliver()
    expect(await getCall(call)).toMatchObject({ ended_time: expect.any(Number) })
  })

  it('other reports of a second call for one attempt change nothing, and are logged as errors', async () => {
    const { call, second } = await doubled()
    const before = await getCall(call)
    vapi().release(second, { analysis: { structuredData: { outcome: 'not_interested' } } })
    await deliver()
    expect(await getCall(call)).toEqual(before)
    expect(lines.filter((line) => line.includes('a second call for one attempt')).every((line) => line.includes('"ERROR"'))).toBe(true)
    expect(lines.join('')).toContain('a second call for one attempt')
  })
})

describe('a call of another stage with our call id', () => {
  world.on('elevenlabs')

  it('a stop in a call of another stage with our call id has no effect, because the number is another one', async () => {
    const { call, lead } = await talking()
    const agent = (await readAgent(agentKey()))!
    const stop = { type: 'dnc.requested', time: new Date(now()).toISOString(), data: { channel: 'call' } } as const
    const told = { callId: call, platformCallId: 'conv_other', reports: [stop] }
    const taken = await takeFromPlatform(agent, { ...told, calledNumber: '+12125550199' }, { text: '' })
    expect(taken).toEqual({ status: 'ignored', results: [] })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false })
    const { phone_number } = (await getCall(call))!
    await takeFromPlatform(agent, { ...told, calledNumber: phone_number }, { text: '' })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true })
  })
})

describe('a failed call of another stage that has our id of a call', () => {
  world.on('elevenlabs')

  it.each([true, false])('a failed call of another stage ends no call whose answer was lost (our id in the event: %s)', async (isIdIn) => {
    const elevenLabs = platform()
    elevenLabs.dialFault = 'lost-before'
    const { call } = await called('0009')
    elevenLabs.dialFault = 'none'
    const { path, body } = elevenLabs.seen.find(({ method }) => method === 'POST')!
    const headers = { 'xi-api-key': 'key1', 'content-type': 'application/json' }
    const other = JSON.stringify({ ...JSON.parse(body), to_number: '+12125550199' })
    const dialled = await fetch(new URL(path, elevenLabs.url), { method: 'POST', headers, body: other })
    const { conversation_id } = (await dialled.json()) as { conversation_id: string }
    const data = { conversation_id, ...(isIdIn && { user_id: call }), failure_reason: 'busy', metadata: { body: { To: '+12125550199' } } }
    const rawBody = JSON.stringify({ type: 'call_initiation_failure', data })
    const agent = (await readAgent(agentKey()))!
    const translation = translateCallback(agent, { url: '', rawBody, headers: {}, at: now() })!
    expect(translation.platformCallId).toBe(conversation_id)
    expect(await takeFromPlatform(agent, translation, { text: rawBody })).toMatchObject({ status: 'ignored' })
    await place([{ type: 'watch', call_id: call }])
    expect(await getCall(call)).toMatchObject({ completed_time: null, provider_call_id: null })
  })
})

describe('a late refusal by the platform', () => {
  world.on('retell')

  it('a call that the platform refuses late still stops further calls when its analysis says so', async () => {
    const { call, lead, id } = await talking()
    const retell = platform() as Awaited<ReturnType<typeof startRetellEmulator>>
    retell.finish(id, 'no_valid_payment')
    retell.analyze(id, { custom_analysis_data: { outcome: 'do_not_call' } })
    await deliver()
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    expect(await getCall(call)).toMatchObject({ refused_time: expect.any(Number), completed_time: null })
  })

  it('a call that the platform refuses late ends and frees its phone when a sign of a conversation came before', async () => {
    const { call, phone, id } = await talking()
    const retell = platform() as Awaited<ReturnType<typeof startRetellEmulator>>
    retell.pickUp(id)
    retell.finish(id, 'no_valid_payment', 0)
    await deliver()
    const ended = await getCall(call)
    expect(ended).toMatchObject({ answered_time: expect.any(Number), ended_time: expect.any(Number), refused_time: null })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    passTime(MINUTE)
    retell.analyze(id)
    await deliver()
    expect(await getCall(call)).toEqual(ended)
  })
})

describe('the platform’s id of a call in a request to a tool', () => {
  world.on('twilio')

  it.each(['{{call_id}}', ' {{ call_id }} ', ' ', ''])(
    'the platform_call_id of a tool request counts as not given when it is %j',
    async (platform_call_id) => {
      const { call, lead } = await talking()
      expect(await send('do_not_call', { call_id: call, platform_call_id })).toMatchObject({ status: 200, body: { ok: true } })
      expect(await leadNow(lead)).toMatchObject({ call_dnc: true })
    },
  )

  it('a tool request with another platform_call_id is refused, and logged as a warning', async () => {
    const { call } = await talking()
    expect(await send('note', { call_id: call, platform_call_id: 'CA-other', note: 'x' })).toMatchObject({ status: 404 })
    const logged = lines.filter((line) => line.includes('CA-other'))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('"WARN"')
  })
})
