import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as live } from '#functions/calls/live.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { dial } from '#shared/calling/dial.ts'
import { changeLead, getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld, hasLine } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, patched, phoneOf } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const NUMBER = '+12125550190'

const { world, queued, place, inCall, tell, ring } = callWorld(undefined, `${OWNER}`)

beforeAll(async () => {
  // Users of one group share its phones.
  const cadence = { delays: [60], delays_by_outcome: {}, max_attempts: 1, transfer_unavailable_delay: 60 }
  await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER], cadence }))
  await saveUser({ id: 2, name: 'Other', dnc_group: `${OWNER}`, default_lead_type: 4, webhook_secrets: ['whsec_AAAA'] } as never)
})

const cancels = () =>
  world()
    .agent.requests.filter(({ path }) => path === '/cancel')
    .map(({ body }) => JSON.parse(body))
const dials = () => world().agent.requests.filter(({ path }) => path !== '/cancel')

describe('a person who calls while our call to them is unanswered', () => {
  it('a person who calls takes over phone and lead from our unanswered call, which is cancelled', async () => {
    const { lead, call, phone } = await inCall()
    const { status, body } = await ring(phone, NUMBER)
    expect({ status, call: body.call_id }).toEqual({ status: 201, call: `${lead}-2` })
    expect(await phoneOf(phone)).toMatchObject({ current_call: body.call_id, attempts: [expect.any(Number)] })
    expect(await getLead(lead)).toMatchObject({ current_call: body.call_id, attempts: 2, round_attempts: 1, next_call_time: null })
    const messages = await queued()
    expect(messages).toContainEqual({ type: 'cancel', call_id: call })
    await place(messages)
    expect(cancels()).toEqual([{ call_id: call, reason: 'The person is on another call.' }])
    expect(await getCall(call)).toMatchObject({ cancel_asked_time: expect.any(Number) })
  })

  it('a person who calls while our call rings is not called again until the inbound call ends', async () => {
    const { call, phone } = await inCall()
    const { body } = await ring(phone, NUMBER)
    await tell(call, 'call.ended')
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    expect(await getCall(call)).toMatchObject({ outcome: 'DIAL_NO_ANSWER', settled_time: expect.any(Number) })
    expect(await hasLine(call)).toBe(false)
    const before = dials().length
    await created({ phone_number: phone, email: 'x@example.com' })
    await place(await queued())
    expect(dials()).toHaveLength(before)
    expect(await phoneOf(phone)).toMatchObject({ current_call: body.call_id })
    await tell(body.call_id, 'call.ended')
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
  })

  it.each([
    ['before', ['call.completed', { outcome: 'no_answer' }]],
    ['before', ['call.completed', { outcome: 'callback_requested' }]],
    ['after', ['call.completed', { outcome: 'no_answer' }]],
  ] as const)(
    'a lead gets the outcome of the inbound call although the outcome of the outbound call came %s it: %j',
    async (when, [type, data]) => {
      const { lead, call, phone } = await inCall()
      const { body } = await ring(phone, NUMBER)
      const inbound = () => tell(body.call_id, 'call.completed', { outcome: 'transferred_warm' }, 1)
      const outbound = () => tell(call, type, data)
      for (const report of when === 'before' ? [outbound, inbound] : [inbound, outbound])
        expect(await report()).toMatchObject({ status: 200 })
      expect(await leadNow(lead)).toMatchObject({ status: 'CLOSED', next_call_time: null })
      expect(await getLead(lead)).toMatchObject({ last_chat: body.call_id, current_call: null })
      expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    },
  )

  it('a lead continues its cadence after its outbound call and the inbound call both fall silent', async () => {
    const { lead, call, phone } = await inCall()
    const { body } = await ring(phone, NUMBER)
    setClock(NOON + 11 * MINUTE)
    await place([{ type: 'watch', call_id: call }])
    expect(await getCall(call)).toMatchObject({ unknown_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await getLead(lead)).toMatchObject({ current_call: body.call_id, next_call_time: null })
    setClock(NOON + 121 * MINUTE)
    await place([{ type: 'watch', call_id: body.call_id }])
    expect(await leadNow(lead)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
  })

  it('an inbound call ends the requests for an outbound call that the agent has not confirmed', async () => {
    const lead = await created()
    await queued()
    await dial((await getLead(lead.id))!)
    await ring(lead.phone_number, NUMBER)
    setClock(NOON + 11_000)
    await place([{ type: 'watch', call_id: `${lead.id}-1` }])
    expect(dials()).toEqual([])
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ refused_time: null, unknown_time: expect.any(Number) })
  })

  it('an inbound call that took over from our call is found by phone in the lookup of live calls', async () => {
    const { call, phone } = await inCall()
    const { body } = await ring(phone, NUMBER)
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    const answer = await request(live, { method: 'POST', path: '/api/calls/live/', body: { phone_number: phone, external_id: 'x' } })
    expect(answer).toMatchObject({ status: 200, body: { call_id: body.call_id } })
  })

  it('an inbound call takes over the phone from a call of another user of the group', async () => {
    const other = await created({}, OTHER_KEY)
    await place(await queued())
    const { body } = await ring(other.phone_number, NUMBER)
    expect(await phoneOf(other.phone_number)).toMatchObject({ current_call: body.call_id })
    await place(await queued())
    expect(cancels()).toMatchObject([{ call_id: `${other.id}-1` }])
    await tell(`${other.id}-1`, 'call.completed', { outcome: 'no_answer' })
    expect(await getLead(other.id)).toMatchObject({ current_call: null, next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await phoneOf(other.phone_number)).toMatchObject({ current_call: body.call_id })
  })

  it('an inbound call holds the lead when the outcome of our call was reported but not applied', async () => {
    const { lead, call, phone } = await inCall()
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    await changeLead(lead, (found) => ({ ...found, current_call: call, next_call_time: null, next_call_time_reason: null, due_list: null }))
    const { body } = await ring(phone, NUMBER)
    expect(await getLead(lead)).toMatchObject({ current_call: body.call_id })
  })
})

describe('a person who calls while our call to them is answered', () => {
  it.each(['call.answered', 'call.transfer_initiated', 'call.transfer_connected'])(
    'an inbound call leaves phone and lead to our answered call after %s',
    async (type) => {
      const { lead, call, phone } = await inCall()
      await tell(call, type)
      const { body } = await ring(phone, NUMBER)
      expect(body.call_id).toBe(`${lead}-2`)
      expect(await phoneOf(phone)).toMatchObject({ current_call: call })
      expect(await getLead(lead)).toMatchObject({ attempts: 2, round_attempts: 1, current_call: call })
      await tell(body.call_id, 'call.completed', { outcome: 'not_interested' })
      expect(await leadNow(lead)).toMatchObject({ status: 'OPEN' })
      expect(await phoneOf(phone)).toMatchObject({ current_call: call })
      await place(await queued())
      expect(cancels()).toEqual([])
      await tell(call, 'call.completed', { outcome: 'transferred_warm' })
      expect(await leadNow(lead)).toMatchObject({ status: 'CLOSED' })
      expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    },
  )
})

describe('the outcome of an inbound call', () => {
  it('the outcome of an inbound call follows the cadence of the lead, not of the number', async () => {
    const { lead, call, phone } = await inCall()
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    const { body } = await ring(phone, NUMBER)
    await tell(body.call_id, 'call.completed', { outcome: 'completed' })
    expect(await leadNow(lead)).toMatchObject({ lead_type: 4, status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await getCall(body.call_id)).toMatchObject({ lead_type: 6, outcome: 'COMPLETED' })
  })

  it.each([
    ['transferred_warm', { status: 'CLOSED', next_call_time: null }],
    ['not_interested', { status: 'LOST', next_call_time: null }],
    ['callback_requested', { status: 'CALLBACK_TO_TRANSFER', next_call_time_reason: 'CALLBACK' }],
    ['completed', { status: 'CLOSED_INCOMPLETE', next_call_time: null }],
  ])('the outcome %s of an inbound call applies to a lead whose cadence has ended', async (outcome, expected) => {
    const { lead, call, phone } = await inCall()
    await changeLead(lead, (found) => ({ ...found, round_attempts: 8 }))
    await tell(call, 'call.completed', { outcome: 'voicemail', message_left: true })
    expect(await leadNow(lead)).toMatchObject({ status: 'CLOSED_INCOMPLETE' })
    const { body } = await ring(phone, NUMBER)
    expect((await tell(body.call_id, 'call.data_collected', { collected: {} })).body).toMatchObject({ cancel: false })
    await tell(body.call_id, 'call.completed', { outcome })
    expect(await leadNow(lead)).toMatchObject(expected)
  })

  it.each(['CANCELLED', 'LOST', 'CLOSED', 'CLOSED_INCOMPLETE', 'SCHEDULE_COMPLETED', 'OUT_OF_TERRITORY', 'BAD_NUMBER', 'NEW', 'UNKNOWN'])(
    'an inbound outcome is stored on the call but not on a lead that a user has set to %s',
    async (status) => {
      const lead = await created()
      await patched(lead.id, { status })
      const { body } = await ring(lead.phone_number, NUMBER)
      expect((await tell(body.call_id, 'call.data_collected', { collected: {} })).body.cancel).toBe(false)
      await tell(body.call_id, 'call.completed', { outcome: 'callback_requested' })
      expect(await leadNow(lead.id)).toMatchObject({ status, next_call_time: null })
      expect(await getCall(body.call_id)).toMatchObject({ outcome: 'COMPLETED', settled_time: expect.any(Number) })
    },
  )

  it.each(['not_interested', 'transferred_warm'])(
    'the outcome of an inbound call does not reopen a lead that the outcome %s has closed',
    async (outcome) => {
      const { lead, call, phone } = await inCall()
      await tell(call, 'call.completed', { outcome })
      const { status } = await leadNow(lead)
      const { body } = await ring(phone, NUMBER)
      await tell(body.call_id, 'call.completed', { outcome: 'callback_requested' })
      expect(await leadNow(lead)).toMatchObject({ status, next_call_time: null })
    },
  )

  it('the outcome of an inbound call does not reopen a lead with a stop', async () => {
    const { lead, call, phone } = await inCall()
    await changeLead(lead, (found) => ({ ...found, round_attempts: 8 }))
    await tell(call, 'call.completed', { outcome: 'no_answer' })
    await patched(lead, { call_dnc: true })
    const { body } = await ring(phone, NUMBER)
    await tell(body.call_id, 'call.completed', { outcome: 'callback_requested' })
    expect(await leadNow(lead)).toMatchObject({ status: 'CLOSED_INCOMPLETE', call_dnc: true, next_call_time: null })
  })
})
