import { describe, expect, it } from '@jest/globals'
import type { Vapi } from '@vapi-ai/server-sdk'
import type { InferenceEmbeddingWebhookToolParams } from 'telnyx/resources/ai/assistants'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { sealCredentials } from '#shared/agents/credentials.ts'
import { toolAuthorization } from '#shared/agents/platform-requests.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { eraseCall } from '#shared/erasure/erased-call-store.ts'
import { callKey } from '#shared/platform/keys.ts'
import { DAY, MINUTE } from '#shared/platform/values/durations.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime } from '#test/support/clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import type { TelnyxEmulator } from '#test/support/platforms/telnyx-emulator.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'
import type { startVapiEmulator } from '#test/support/platforms/vapi-emulator.ts'

const world = toolWorld()
const { platform, agentKey, answers, definition, called, talking, send } = world
const lines = captureLog()

describe('a request to a tool with a token', () => {
  world.on('twilio')

  it('a tool request is refused without the token of this agent', async () => {
    const { call, lead } = await talking()
    const first = Object(await definition('note')).request.headers.authorization
    const other = { id: 'voice-other', url: platform().url, secrets: [], platform: { ...(await readAgent(agentKey()))!.platform! } }
    await saveAgent({
      ...other,
      platform: { ...other.platform, credentials: await sealCredentials(other.id, { api_key: 'token-1', callback_secret: null }) },
    })
    const body = { call_id: call, channel: 'call' }
    for (const token of ['', 'Bearer', 'Bearer lot_', `${first}x`, first.slice(0, -1), first.slice('Bearer '.length), 'Bearer token-1']) {
      expect(await send('do_not_call', body, { token })).toMatchObject({ status: 401, body: { detail: 'Invalid signature.' } })
    }
    // The same API key, and another agent.
    expect((await send('do_not_call', body, { agent: other.id })).status).toBe(401)
    for (const agent of ['nobody', 'simulator', 'x'.repeat(5000)]) expect((await send('do_not_call', body, { agent })).status).toBe(401)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false })
    expect(lines.join('')).not.toContain(first.slice('Bearer '.length))
  })

  it('a tool request with a token finds no call that is unknown or of another agent', async () => {
    const { call, lead } = await talking()
    const foreign = await called('0009')
    const { platform: onPlatform } = (await readAgent(agentKey()))!
    const credentials = await sealCredentials('voice-third', { api_key: 'k', callback_secret: null })
    await saveAgent({ id: 'voice-third', url: platform().url, secrets: [], platform: { ...onPlatform!, credentials } })
    const theirs = { agent: 'voice-third', token: toolAuthorization('voice-third', 'k') }
    const missing = { status: 404, body: { detail: 'Not found.' } }
    expect(await send('do_not_call', { call_id: foreign.call }, theirs)).toMatchObject(missing)
    expect(await send('do_not_call', { call_id: '999999-1' })).toMatchObject(missing)
    expect(await send('do_not_call', { call_id: 'x'.repeat(255) })).toMatchObject(missing)
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false })
    expect(await send('note', { call_id: call, note: 'x' })).toMatchObject({ status: 200, body: { ok: true } })
  })

  it('a tool request with a token and the platform id of another call is refused, unless it asks for a stop', async () => {
    const { call, id, lead } = await talking()
    const other = { call_id: call, platform_call_id: 'CA-other' }
    expect(await send('note', { ...other, note: 'x' })).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    expect(await send('report_outcome', { ...other, outcome: 'completed' })).toMatchObject({ status: 404 })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false, metadata: {} })
    expect(await send('note', { call_id: call, platform_call_id: id, note: 'y' })).toMatchObject({ status: 200, body: { ok: true } })
    expect(await send('do_not_call', { ...other, channel: 'call' })).toMatchObject({ status: 200, body: { ok: true } })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, sms_dnc: false, metadata: { note: 'y' } })
    expect(await send('report_outcome', { ...other, outcome: 'litigator' })).toMatchObject({ status: 200, body: { ok: true } })
    expect(await getCall(call)).toMatchObject({ provider_call_id: id, completed_time: null })
    expect(lines.filter((line) => line.includes('with the id of another call'))).toHaveLength(4)
  })

  it('a tool request finds no call that has been over for a day', async () => {
    const { call } = await talking()
    expect(await send('report_outcome', { call_id: call, outcome: 'not_interested' })).toMatchObject({ body: { ok: true } })
    passTime(DAY - MINUTE)
    expect(await send('note', { call_id: call, note: 'late' })).toMatchObject({ status: 200 })
    passTime(2 * MINUTE)
    expect(await send('note', { call_id: call, note: 'later' })).toMatchObject({ status: 404 })
  })

  it('a tool request proves a conversation only until the call is over', async () => {
    const { call } = await talking()
    await send('find_slots', { call_id: call })
    expect(await getCall(call)).toMatchObject({ talked_time: expect.any(Number) })
    const rings = await called('0002')
    await world.deliver()
    expect(await getCall(rings.call)).toMatchObject({ ended_time: expect.any(Number), talked_time: null })
    for (const tool of ['find_slots', 'book_slot', 'do_not_call']) {
      const start_time = '2026-11-23T15:00:00-05:00'
      expect(await send(tool, { call_id: rings.call, start_time })).toMatchObject({ status: 200 })
    }
    expect(await getCall(rings.call)).toMatchObject({ talked_time: null, call_stopped: expect.any(String) })
  })

  it.each([
    ['<html>', { detail: expect.stringContaining('JSON parse error') }],
    ['', { call_id: ['This field is required.'] }],
    ['[]', { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
    ['{"channel":"call"}', { call_id: ['This field is required.'] }],
    ['{"call_id":{}}', { call_id: ['Not a valid string.'] }],
  ])('a tool request with the body %j gets a 400', async (body, errors) => {
    await talking()
    expect(await send('do_not_call', body)).toMatchObject({ status: 400, body: errors })
  })

  it('a tool request of 10 MB gets a 413', async () => {
    const { call } = await talking()
    expect(await send('note', { call_id: call, note: 'x'.repeat(10_000_000) })).toMatchObject({ status: 413 })
  })

  it('a request to a tool that does not exist names the tools that do', async () => {
    const { call } = await talking()
    expect(await send('weather', { call_id: call })).toMatchObject({
      status: 200,
      body: {
        ok: false,
        message: 'There is no tool weather. The tools are do_not_call, note, find_slots, book_slot, report_outcome.',
      },
    })
    expect(lines.filter((line) => line.includes('tool that does not exist'))).toHaveLength(1)
  })

  it('a request for slots without a calendar says that there is none', async () => {
    const { call } = await talking()
    const message = 'There is no calendar for this call. Offer no appointment.'
    expect(await send('find_slots', { call_id: call })).toMatchObject({ status: 200, body: { ok: false, message } })
  })

  it('a tool request counts blank arguments and templates that were not filled as not given', async () => {
    const { call, lead } = await talking()
    const blank = { call_id: call, email: '', us_state: '{{input.us_state}}', note: 'Old roof.', gone: null }
    expect(await send('note', blank)).toMatchObject({ body: { ok: true } })
    expect(await leadNow(lead)).toMatchObject({ email: null, us_state: null, metadata: { note: 'Old roof.' } })
    expect((await leadNow(lead)).metadata).not.toHaveProperty('call_id')
  })
})

describe('a request to a tool with a signature', () => {
  world.on('telnyx')

  it('a tool request that must be signed is refused when it is old, and when it has a token instead', async () => {
    const { id, call, lead } = await talking()
    const telnyx = platform() as TelnyxEmulator
    const tool = (await definition('do_not_call')) as InferenceEmbeddingWebhookToolParams
    await telnyx.useTool(id, tool, {})
    passTime(6 * MINUTE)
    expect(await answers()).toMatchObject([{ status: 401, body: { detail: 'Invalid signature.' } }])
    const token = toolAuthorization(agentKey(), 'KEY1')
    expect(await send('do_not_call', { call_id: call }, { token })).toMatchObject({ status: 401 })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false })
  })

  it('a signed tool request finds no call when the assistant lacks the variable', async () => {
    const { id } = await talking()
    const tool = (await definition('note')) as InferenceEmbeddingWebhookToolParams
    const other = { ...tool, webhook: { ...tool.webhook, preset_body_fields: { call_id: '{{other}}' } } }
    await (platform() as TelnyxEmulator).useTool(id, other, { note: 'x' })
    expect(await answers()).toMatchObject([{ status: 400, body: { call_id: ['This field may not be blank.'] } }])
  })
})

describe('the event of a platform in which an assistant calls tools', () => {
  world.on('vapi')

  const useTools = async (id: string, ...names: readonly string[]) => {
    const vapi = platform() as Awaited<ReturnType<typeof startVapiEmulator>>
    await vapi.useTools(id, ...names.map((name) => ({ name, arguments: { note: name } })))
    return (await answers()).map(({ status, body }) => ({ status, ...body }))
  }

  it('a platform event with tool calls gets an answer for each, and no more than ten run', async () => {
    const { id } = await talking()
    const [answer] = await useTools(id, 'note', 'weather', ...Array.from({ length: 9 }, () => 'note'))
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.results.map(({ name, result, error }: Vapi.ToolCallResult) => [name, result ?? error])).toEqual([
      ['note', '{"ok":true,"message":"Recorded."}'],
      ['weather', 'There is no tool weather. The tools are do_not_call, note, find_slots, book_slot.'],
      ...Array.from({ length: 8 }, () => ['note', '{"ok":true,"message":"Recorded."}']),
      ['note', 'Nothing was done: too many tools at once. Call this one again.'],
    ])
    expect(new Set(answer.results.map(({ toolCallId }: Vapi.ToolCallResult) => toolCallId)).size).toBe(11)
  })

  it('a platform event gets an error for each tool call when the call is not ours', async () => {
    const { id, call, lead } = await talking()
    await eraseCall(callKey(lead, 1), undefined)
    expect(await getCall(call)).toBeUndefined()
    const [answer] = await useTools(id, 'do_not_call')
    expect(answer).toMatchObject({ status: 200, results: [{ error: 'This call is not known. Nothing was done.' }] })
  })
})
