import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as inbound } from '#functions/agents/inbound-calls.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { leadHappenings } from '#shared/events/rules/derive.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { callWorld, hasLine } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, newPhone, patch, phoneOf } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { agentReport, consumeAll, OWNER, request } from '#test/support/world.ts'

const NUMBER = '+12125550190'
const TRANSFER = { mode: 'warm' as const, destinations: ['+12125550199'], hold_limit_seconds: 180 }

const { world, queued } = callWorld()

beforeAll(async () => {
  const numbered = sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER], script: 'Say hello.', transfer: TRANSFER })
  await saveLeadType(numbered)
})

const newId = () => randomBytes(6).toString('hex')

const ring = (body: unknown, secret = world().agentSecret) => request(inbound, agentRequest(secret, '/api/agents/inbound-calls/', body))

const callFrom = async (from: string, provider_call_id = newId()) => {
  const answer = await ring({ provider_call_id, from, to: NUMBER })
  expect([200, 201]).toContain(answer.status)
  return answer
}

/** Reports about a call with the provider's own id of it. */
const tell = async (callId: string, type: string, data: unknown = {}) => {
  const { provider_call_id } = (await getCall(callId))!
  const told = agentReport(world().agentSecret, callId, type, data)
  const body = { ...JSON.parse(`${told.body}`), provider_call_id }
  const answer = await request(report, agentRequest(world().agentSecret, told.path, body, { call_id: callId }))
  expect(answer.status).toBe(200)
  return answer.body
}

describe('a person who calls', () => {
  it('a person who calls is found by phone; the agent gets the lead, and no outbound call starts', async () => {
    const lead = await created()
    const [message] = await queued()
    const { status, body } = await callFrom(lead.phone_number)
    expect(status).toBe(201)
    expect(body).toEqual({
      call_id: `${lead.id}-1`,
      lead: expect.objectContaining({ id: lead.id, phone_number: lead.phone_number, next_call_time: null }),
      script: 'Say hello.',
      disclosures: expect.arrayContaining([expect.objectContaining({ jurisdiction: 'federal' })]),
      transfer: TRANSFER,
      escalation: null,
      calendar: false,
      callback_url: `https://localhost/api/agents/calls/${lead.id}-1/events/`,
    })
    const asked = world().agent.requests.length
    expect(await consumeAll(placeCall, [message])).toEqual([])
    expect(world().agent.requests).toHaveLength(asked)
    expect(await getCall(body.call_id)).toMatchObject({ call_direction: 'inbound', answered_time: expect.any(Number), lead_type: 6 })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ current_call: body.call_id, attempts: [] })
    expect(await hasLine(body.call_id)).toBe(true)
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1, round_attempts: 0, current_call: body.call_id })
  })

  it('an inbound call causes events that name the call, first LEAD_FIRST_INBOUND', async () => {
    const lead = await created()
    const before = (await getLead(lead.id))!
    const { body } = await callFrom(lead.phone_number)
    const after = (await getLead(lead.id))!
    expect(leadHappenings({ before, after })).toMatchObject([{ trigger: 'LEAD_FIRST_INBOUND', call_id: body.call_id }])
    await tell(body.call_id, 'call.completed', { outcome: 'completed' })
    const completed = (await getLead(lead.id))!
    await tell(body.call_id, 'call.data_collected', { collected: { late: true } })
    const collected = { before: completed, after: (await getLead(lead.id))! }
    expect(leadHappenings(collected)).toMatchObject([{ trigger: 'LEAD_UPDATED', call_id: body.call_id }])
  })

  it('an inbound call frees line and phone at its end, and its outcome plans the next call', async () => {
    const lead = await created()
    const { body } = await callFrom(lead.phone_number)
    await queued()
    await tell(body.call_id, 'call.data_collected', { collected: { homeowner: true } })
    await tell(body.call_id, 'call.ended', { duration_seconds: 60 })
    const callback_time = new Date(NOON + 2 * 3_600_000).toISOString()
    await tell(body.call_id, 'call.completed', { outcome: 'callback_requested', callback_time, is_contact: true })
    expect(await leadNow(lead.id)).toMatchObject({
      status: 'CALLBACK_TO_TRANSFER',
      next_call_time: '2026-11-20T18:00:00.000000+00:00',
      next_call_time_reason: 'CALLBACK',
      metadata: { homeowner: true },
    })
    expect(await hasLine(body.call_id)).toBe(false)
    expect(await phoneOf(lead.phone_number)).toMatchObject({ current_call: null, attempts: [] })
    expect(await getCall(body.call_id)).toMatchObject({ outcome: 'COMPLETED', settled_time: expect.any(Number) })
    setClock(NOON + 2 * 3_600_000)
    await consumeAll(placeCall, [{ type: 'dial', lead_id: lead.id, attempt: 2, due_at: NOON + 2 * 3_600_000 }])
    expect(await getLead(lead.id)).toMatchObject({ attempts: 2, round_attempts: 1 })
  })

  it('an inbound call leaves the first step of the cadence ahead', async () => {
    const lead = await created()
    const { body } = await callFrom(lead.phone_number)
    await tell(body.call_id, 'call.completed', { outcome: 'completed' })
    const after = await leadNow(lead.id)
    expect(after).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(Date.parse(after.next_call_time) - NOON).toBeLessThan(1_900_000)
  })

  it('a person without a lead who calls becomes a lead that is not called before the outcome', async () => {
    const from = newPhone()
    const { body, status } = await callFrom(from)
    expect(status).toBe(201)
    expect(body.lead).toMatchObject({ phone_number: from, lead_type: 6, lead_source: 'inbound', status: 'OPEN', next_call_time: null })
    expect(await queued()).toEqual([])
    await tell(body.call_id, 'call.completed', { outcome: 'not_interested' })
    expect(await leadNow(body.lead.id)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('a person who calls is matched to the newest lead with the phone', async () => {
    const lead = await created({ email: 'first@example.com' })
    const newest = await created({ email: 'second@example.com', phone_number: lead.phone_number })
    expect((await callFrom(lead.phone_number)).body.lead.id).toBe(newest.id)
  })

  it('an inbound call keeps a call that is planned far ahead, even if no outcome arrives', async () => {
    const lead = await created({ call_schedule_start_time: '2026-11-23T15:00:00Z' })
    const { body } = await callFrom(lead.phone_number)
    expect(body.lead.next_call_time).toBe('2026-11-23T15:00:00.000000+00:00')
    setClock(NOON + 3 * 3_600_000)
    await consumeAll(placeCall, [{ type: 'watch', call_id: body.call_id }])
    expect(await getCall(body.call_id)).toMatchObject({ unknown_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time: '2026-11-23T15:00:00.000000+00:00' })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ current_call: null })
    await consumeAll(placeCall, [{ type: 'dial', lead_id: lead.id, attempt: 1, due_at: Date.parse('2026-11-23T15:00:00Z') }])
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1 })
  })

  it('a lead continues its cadence when an inbound call falls silent', async () => {
    const lead = await created()
    const { body } = await callFrom(lead.phone_number)
    setClock(NOON + 3 * 3_600_000)
    await consumeAll(placeCall, [{ type: 'watch', call_id: body.call_id }])
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await hasLine(body.call_id)).toBe(false)
  })
})

describe('a stop', () => {
  it('a stop still allows an inbound call, and prevents calls after it', async () => {
    const lead = await created()
    await patch(lead.id, { call_dnc: true })
    const { body } = await callFrom(lead.phone_number)
    expect(await tell(body.call_id, 'call.data_collected', { collected: {} })).toMatchObject({ call_dnc: true, cancel: false })
    await tell(body.call_id, 'call.completed', { outcome: 'callback_requested' })
    expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})
