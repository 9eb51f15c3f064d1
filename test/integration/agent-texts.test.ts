import { beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as report } from '#functions/agents/call-events.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { leadKey, SMS_PREFIX } from '#shared/platform/keys.ts'
import { query } from '#shared/platform/table/table.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON } from '#test/support/samples.ts'
import { request } from '#test/support/world.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }

let agentAnswer = ACCEPT
const { world, inCall, tell } = callWorld(() => agentAnswer)
beforeEach(async () => {
  agentAnswer = ACCEPT
})

const Message = v.object({ call_id: v.string(), body: v.optional(v.string()), status: v.optional(v.string()) })

const messagesOf = async (lead: number) => {
  const { items } = await query(Message, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': leadKey(lead).pk, ':prefix': SMS_PREFIX },
  })
  return items
}

/** Half a character, as a text has it that was cut in the middle of one. */
const HALF = '\ud83d'
const MENDED = '\ufffd'

describe('a text that is too long', () => {
  it('a summary or text message that is too long is cut between characters', async () => {
    const { lead, call } = await inCall()
    expect(await tell(call, 'call.completed', { outcome: 'completed', summary: `${'x'.repeat(3999)}😀😀` })).toMatchObject({ status: 200 })
    expect((await getCall(call))?.summary).toBe(`${'x'.repeat(3999)}😀`)
    expect(await tell(call, 'sms.completed', { body: '😀'.repeat(1531) })).toMatchObject({ status: 200 })
    expect((await messagesOf(lead))[0]?.body).toBe('😀'.repeat(1530))
  })
})

describe('the agent API', () => {
  it('the agent API replaces half a character in a completion and applies its outcome', async () => {
    const { lead, call } = await inCall()
    const data = {
      outcome: 'not_interested',
      summary: `a${HALF}`,
      collected: { [`k${HALF}`]: { deep: [`v${HALF}`] } },
      appointment: { notes: [`n${HALF}`] },
    }
    expect(await tell(call, 'call.completed', data, 1, { event_id: HALF })).toMatchObject({ status: 200 })
    expect(await getCall(call)).toMatchObject({
      summary: `a${MENDED}`,
      appointment: { notes: [`n${MENDED}`] },
      outcome: 'COMPLETED_STOP_CALLING',
    })
    expect(await getLead(lead)).toMatchObject({ status: 'LOST', metadata: { [`k${MENDED}`]: { deep: [`v${MENDED}`] } } })
  })

  it.each<[string, unknown, Record<string, unknown>]>([
    ['call.transfer_initiated', { mode: HALF, destination: HALF }, {}],
    ['call.transfer_ended', { reason: HALF }, {}],
    ['sms.completed', { body: HALF, status: HALF }, {}],
    ['call.data_collected', { collected: { a: HALF } }, {}],
    ['sms.completed', { body: 'x' }, { event_id: HALF }],
  ])('the agent API accepts a report %s with half a character in %j %j', async (type, data, more) => {
    const { call } = await inCall()
    expect(await tell(call, type, data, 0, more)).toMatchObject({ status: 200 })
  })

  it('the service replaces half a character in the provider call id with which the agent accepts a call', async () => {
    agentAnswer = { body: JSON.stringify({ provider_call_id: `p${HALF}` }) }
    const { call } = await inCall()
    expect(await getCall(call)).toMatchObject({ provider_call_id: `p${MENDED}`, accepted_time: expect.any(Number) })
    expect(await tell(call, 'call.answered', {}, 0, { provider_call_id: `p${HALF}` })).toMatchObject({ status: 200 })
  })

  it('the agent API accepts a provider call id of 300 characters', async () => {
    agentAnswer = { body: JSON.stringify({ provider_call_id: 'x'.repeat(300) }) }
    const { call } = await inCall()
    expect(await tell(call, 'call.answered', {}, 0, { provider_call_id: 'x'.repeat(300) })).toMatchObject({ status: 200 })
  })

  it('the agent API replaces half a character in a provider call id that comes only with a report', async () => {
    agentAnswer = { status: 500 }
    const { call } = await inCall()
    expect(await tell(call, 'call.answered', {}, 0, { provider_call_id: HALF })).toMatchObject({ status: 200 })
    expect(await getCall(call)).toMatchObject({ provider_call_id: MENDED })
  })
})

it('a completion with data nested too deeply still applies its outcome', async () => {
  const { lead, call } = await inCall()
  const data = { outcome: 'not_interested', collected: { deep: 'deep' }, appointment: { deep: 'deep' } }
  const text = JSON.stringify({ type: 'call.completed', call_id: call, time: new Date(NOON), data })
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const told = agentRequest(world().agentSecret, '', text.replaceAll('"deep":"deep"', `"deep":${deep}`), { call_id: call })
  expect(await request(report, told)).toMatchObject({ status: 200 })
  expect(await getLead(lead)).toMatchObject({ status: 'LOST' })
})

it('a completion stores the call id of the provider when it is the only report of the call', async () => {
  agentAnswer = { status: 500 }
  const { call } = await inCall()
  await tell(call, 'call.completed', { outcome: 'no_answer' }, 0, { provider_call_id: 'p-7' })
  expect(await getCall(call)).toMatchObject({ provider_call_id: 'p-7' })
})
