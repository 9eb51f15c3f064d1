import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events/index.ts'
import { handler as inbound } from '#functions/agents/inbound-calls/index.ts'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as retrieve } from '#functions/leads/retrieve/index.ts'
import { handler as update } from '#functions/leads/update/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { getCall } from '#shared/storage/calls.ts'
import { saveLeadType } from '#shared/storage/lead-types.ts'
import { getLead } from '#shared/storage/leads.ts'
import { getLines } from '#shared/storage/lines.ts'
import { getPhone, phonePk } from '#shared/storage/phones.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { agentReport, consumeAll, OWNER, request, setClock, startWorld } from '#test/support/world.ts'

const NUMBER = '+12125550190'
const TRANSFER = { mode: 'warm' as const, destinations: ['+12125550199'], hold_limit_seconds: 180 }

let world: Awaited<ReturnType<typeof startWorld>>
let next = 2000

beforeAll(async () => {
  world = await startWorld()
  const numbered = sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER], script: 'Say hello.', transfer: TRANSFER })
  await saveLeadType(numbered)
})
afterAll(() => world.stop())
beforeEach(async () => {
  setClock(NOON)
  await world.queues.take('CALL_QUEUE_URL')
})

const newPhone = () => `+1212555${next++}`
const newId = () => randomBytes(6).toString('hex')

const ring = (body: unknown, secret = world.agentSecret) => request(inbound, agentRequest(secret, '/api/agents/inbound-calls/', body))

const callFrom = async (from: string, provider_call_id = newId()) => {
  const answer = await ring({ provider_call_id, from, to: NUMBER })
  expect([200, 201]).toContain(answer.status)
  return answer
}

const createLead = async (fields: Record<string, unknown> = {}) => {
  const body = { phone_number: newPhone(), timezone: 'America/New_York', ...fields }
  const answer = await request(create, { method: 'POST', path: '/api/leads/', body })
  expect(answer.status).toBe(201)
  return answer.body
}

const leadNow = async (id: number) =>
  (await request(retrieve, { method: 'GET', path: `/api/leads/${id}/`, parameters: { id: `${id}` } })).body

const updateLead = (id: number, body: unknown) =>
  request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body })

const queued = async () => (await world.queues.take('CALL_QUEUE_URL')).map((body) => JSON.parse(body))

/** Of the call's own id: the provider's ids are its own. */
const tell = async (callId: string, type: string, data: unknown = {}) => {
  const { provider_call_id } = (await getCall(callId))!
  const told = agentReport(world.agentSecret, callId, type, data)
  const body = { ...JSON.parse(`${told.body}`), provider_call_id }
  const answer = await request(report, agentRequest(world.agentSecret, told.path, body, { call_id: callId }))
  expect(answer.status).toBe(200)
  return answer.body
}

const phoneOf = async (number: string) => getPhone(await phonePk(`${OWNER}`, number))

describe('a person who calls', () => {
  it('is found by the phone: the agent is briefed, and the person is not called meanwhile', async () => {
    const lead = await createLead()
    const [message] = await queued()
    const { status, body } = await callFrom(lead.phone_number)
    expect(status).toBe(201)
    expect(body).toEqual({
      call_id: `${lead.id}-1`,
      lead: expect.objectContaining({ id: lead.id, phone_number: lead.phone_number, next_call_time: null }),
      script: 'Say hello.',
      transfer: TRANSFER,
      escalation: null,
      callback_url: `https://localhost/api/agents/calls/${lead.id}-1/events/`,
    })
    const asked = world.agent.requests.length
    expect(await consumeAll(placeCall, [message])).toEqual([])
    expect(world.agent.requests).toHaveLength(asked)
    expect(await getCall(body.call_id)).toMatchObject({ call_direction: 'inbound', answered_time: expect.any(Number), lead_type: 6 })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ current_call: body.call_id, attempts: [] })
    expect((await getLines(OWNER)).calls.has(body.call_id)).toBe(true)
    expect(await getLead(lead.id)).toMatchObject({ attempts: 1, round_attempts: 0, current_call: body.call_id })
  })

  it('whose call has an outcome is called next as that says, and line and phone are free', async () => {
    const lead = await createLead()
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
    expect((await getLines(OWNER)).calls.has(body.call_id)).toBe(false)
    expect(await phoneOf(lead.phone_number)).toMatchObject({ current_call: null, attempts: [] })
    expect(await getCall(body.call_id)).toMatchObject({ outcome: 'COMPLETED', settled_time: expect.any(Number) })
    setClock(NOON + 2 * 3_600_000)
    await consumeAll(placeCall, [{ type: 'dial', lead_id: lead.id, attempt: 2, due_at: NOON + 2 * 3_600_000 }])
    expect(await getLead(lead.id)).toMatchObject({ attempts: 2, round_attempts: 1 })
  })

  it('counts for no cadence and no cap: after the talk the first step of the cadence is still ahead', async () => {
    const lead = await createLead()
    const { body } = await callFrom(lead.phone_number)
    await tell(body.call_id, 'call.completed', { outcome: 'completed' })
    const after = await leadNow(lead.id)
    expect(after).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(Date.parse(after.next_call_time) - NOON).toBeLessThan(1_900_000)
  })

  it('of whom nothing is known becomes a lead that is not called before the outcome', async () => {
    const from = newPhone()
    const { body, status } = await callFrom(from)
    expect(status).toBe(201)
    expect(body.lead).toMatchObject({ phone_number: from, lead_type: 6, lead_source: 'inbound', status: 'OPEN', next_call_time: null })
    expect(await queued()).toEqual([])
    await tell(body.call_id, 'call.completed', { outcome: 'not_interested' })
    expect(await leadNow(body.lead.id)).toMatchObject({ status: 'LOST', next_call_time: null })
  })

  it('is the newest of the leads with the phone', async () => {
    const lead = await createLead({ email: 'first@example.com' })
    const newest = await createLead({ email: 'second@example.com', phone_number: lead.phone_number })
    expect((await callFrom(lead.phone_number)).body.lead.id).toBe(newest.id)
  })

  it('keeps a call that is far enough ahead, until an outcome is told', async () => {
    const lead = await createLead({ call_schedule_start_time: '2026-11-23T15:00:00Z' })
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

  it('and falls silent goes on with the cadence', async () => {
    const lead = await createLead()
    const { body } = await callFrom(lead.phone_number)
    setClock(NOON + 3 * 3_600_000)
    await consumeAll(placeCall, [{ type: 'watch', call_id: body.call_id }])
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect((await getLines(OWNER)).calls.has(body.call_id)).toBe(false)
  })
})

describe('what an inbound call does not undo', () => {
  it('a stop: the person is spoken with, and not called after it', async () => {
    const lead = await createLead()
    await updateLead(lead.id, { call_dnc: true })
    const { body } = await callFrom(lead.phone_number)
    expect(await tell(body.call_id, 'call.data_collected', { collected: {} })).toMatchObject({ call_dnc: true, cancel: false })
    await tell(body.call_id, 'call.completed', { outcome: 'callback_requested' })
    expect(await leadNow(lead.id)).toMatchObject({ call_dnc: true, next_call_time: null })
  })
})

describe('a report of an inbound call', () => {
  it('made again is the same call', async () => {
    const from = newPhone()
    const provider_call_id = newId()
    const first = await callFrom(from, provider_call_id)
    const again = await callFrom(from, provider_call_id)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect(await getLead(first.body.lead.id)).toMatchObject({ attempts: 1 })
  })

  it('made several times at once is one call of one lead', async () => {
    const from = newPhone()
    const provider_call_id = newId()
    const answers = await Promise.all(Array.from({ length: 6 }, () => callFrom(from, provider_call_id)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(1)
    const { getPerson } = await import('#shared/storage/persons.ts')
    expect((await getPerson(OWNER, from)).leads).toHaveLength(1)
  })

  it('of another number is told as a wrong signature', async () => {
    const body = { provider_call_id: newId(), from: newPhone(), to: NUMBER }
    const unknown = await ring({ ...body, to: '+12125550191' })
    const forged = await ring(body, 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==')
    const unsigned = await request(inbound, { method: 'POST', path: '/api/agents/inbound-calls/', body })
    expect(unknown.status).toBe(401)
    expect(forged).toEqual(unknown)
    expect(unsigned).toEqual(unknown)
  })

  it.each([
    [{ to: NUMBER }, ['provider_call_id', 'from']],
    [{ provider_call_id: 'x', from: 'anonymous', to: NUMBER }, ['from']],
    [{ provider_call_id: 'x'.repeat(256), from: '+12125550123', to: NUMBER }, ['provider_call_id']],
    [{ provider_call_id: 'x', from: '+12125550123' }, ['to']],
    [{ provider_call_id: 'x', from: 7, to: '1' }, ['from', 'to']],
    [[], ['non_field_errors']],
    ['{', ['detail']],
  ])('%j is a 400 under %j', async (body, names) => {
    const answer = await ring(body)
    expect({ status: answer.status, names: Object.keys(answer.body) }).toEqual({ status: 400, names })
  })
})

it('a number is of one lead type: a second one is refused, a freed one is another’s', async () => {
  const number = '+12125550192'
  const one = sampleLeadType({ id: 7, inbound_numbers: [number] })
  const two = sampleLeadType({ id: 8, inbound_numbers: [number] })
  await saveLeadType(one)
  await saveLeadType(one)
  await expect(saveLeadType(two)).rejects.toThrow('Not all of the inbound numbers')
  await saveLeadType({ ...one, inbound_numbers: [] })
  await saveLeadType(two)
  const { getInboundNumber } = await import('#shared/storage/inbound-numbers.ts')
  expect(await getInboundNumber(number)).toEqual({ owner: 1, lead_type: 8 })
})
