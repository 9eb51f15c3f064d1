import { describe, expect, it } from '@jest/globals'
import { handler as book } from '#functions/agents/calendar-book.ts'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { calendarWorld, json, START } from '#test/support/calendar-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { leadNow, patched, writeUnits } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { agentReport, consumeAll, request } from '#test/support/world.ts'

const world = calendarWorld()

const tell = async (call: string, type: string, data: unknown = {}) =>
  expect(await request(report, agentReport(world.agentSecret, call, type, data))).toMatchObject({ status: 200 })

const complete = (call: string, outcome: string, more: Record<string, unknown> = {}) => tell(call, 'call.completed', { outcome, ...more })

const bookIn = (call: string) => world.ask(book, call, { start_time: START })

/** A call in which an appointment was booked. */
const booked = async (lead: Record<string, unknown> = {}) => {
  const made = await world.inCall({}, lead)
  expect(await bookIn(made.call)).toMatchObject({ status: 201 })
  return made
}

const DONE = { status: 'SCHEDULE_COMPLETED', status_detail: 'appointment_booked', next_call_time: null, next_call_time_reason: null }

describe('a call with a booked appointment', () => {
  it.each(['completed', 'hung_up', 'application_link_sent', 'transfer_unavailable', 'no_answer', 'voicemail', 'something else'])(
    'a call with a booked appointment is followed by no other call when it ends as %s',
    async (outcome) => {
      const { lead, call } = await booked()
      await complete(call, outcome)
      expect(await leadNow(lead)).toMatchObject({ ...DONE, status_reason: 'CHAT' })
      expect(await getCall(call)).toMatchObject({ outcome: 'COMPLETED_CLOSED_OTHER', appointment: { start_time: START } })
      await complete(call, outcome)
      expect(await getCall(call)).toMatchObject({ contradictions: null })
    },
  )

  it('a booked appointment completes the schedule even where a hang-up forbids further calls', async () => {
    const { lead, call } = await booked({ us_state: 'NV' })
    await complete(call, 'hung_up')
    expect(await leadNow(lead)).toMatchObject(DONE)
  })

  it('a call with a booked appointment is followed by no other call when the agent falls silent', async () => {
    const { lead, call } = await booked()
    await tell(call, 'call.answered')
    setClock(NOON + 3 * 3_600_000)
    await consumeAll(placeCall, [{ type: 'watch', call_id: call }])
    expect(await getCall(call)).toMatchObject({ unknown_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await leadNow(lead)).toMatchObject(DONE)
    expect(await getLead(lead)).toMatchObject({ current_call: null })
  })

  it.each([
    ['not_interested', { status: 'LOST', status_detail: null }],
    ['do_not_call', { status: 'LOST', status_detail: 'has_call_dnc', call_dnc: true }],
    ['wrong_number', { status: 'BAD_NUMBER' }],
    ['out_of_territory', { status: 'OUT_OF_TERRITORY' }],
    ['transferred_warm', { status: 'CLOSED', status_detail: 'warm_transfer' }],
    ['escalated', { status: 'CLOSED', status_detail: 'escalation' }],
    ['assigned', { status: 'CLOSED', status_detail: 'LEAD_ASSIGNED' }],
  ])('the outcome %s of a call with a booked appointment applies to the lead as usual', async (outcome, expected) => {
    const { lead, call } = await booked()
    await complete(call, outcome)
    expect(await leadNow(lead)).toMatchObject({ ...expected, next_call_time: null })
  })

  it('a call with a booked appointment is followed by the callback that the person asked for', async () => {
    const { lead, call } = await booked()
    await complete(call, 'callback_requested', { callback_time: '2026-11-20T20:00:00Z' })
    expect(await leadNow(lead)).toMatchObject({
      status: 'CALLBACK_TO_TRANSFER',
      next_call_time: '2026-11-20T20:00:00.000000+00:00',
      next_call_time_reason: 'CALLBACK',
    })
  })

  it('a call with a booked appointment costs at most eight write units to complete', async () => {
    const { call } = await booked()
    expect(await writeUnits(() => complete(call, 'completed'))).toBeLessThanOrEqual(8)
  })

  it('a call with a booked appointment leaves a cancelled lead cancelled', async () => {
    const { lead, call } = await booked()
    await patched(lead, { status: 'CANCELLED' })
    await complete(call, 'completed')
    expect(await leadNow(lead)).toMatchObject({ status: 'CANCELLED', next_call_time: null })
  })
})

describe('an appointment that was not booked', () => {
  it.each([409, 422, 504])('an appointment does not complete the schedule when the calendar answered %d', async (status) => {
    const { lead, call } = await world.inCall()
    world.setAnswer({ status })
    await bookIn(call)
    await complete(call, 'completed')
    expect(await leadNow(lead)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await getCall(call)).toMatchObject({ outcome: 'COMPLETED' })
  })

  it('an appointment that only the agent reports does not complete the schedule', async () => {
    const { lead, call } = await world.inCall()
    await complete(call, 'completed', { appointment: { start_time: START, booking: null } })
    expect(await leadNow(lead)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
  })
})

describe('an appointment that the calendar confirms after the call', () => {
  it.each(['completed', 'hung_up', 'transfer_unavailable'])(
    'an appointment that is confirmed after its call cancels the next call when the call ended as %s',
    async (outcome) => {
      const { lead, call } = await world.inCall()
      world.setAnswer(async () => {
        await complete(call, outcome)
        expect((await leadNow(lead)).next_call_time).not.toBeNull()
        return json({ booking_id: 'b-1' })
      })
      expect(await bookIn(call)).toMatchObject({ status: 201 })
      expect(await leadNow(lead)).toMatchObject(DONE)
      const { version } = (await getLead(lead))!
      expect(await bookIn(call)).toMatchObject({ status: 200 })
      expect(await getLead(lead)).toMatchObject({ version })
    },
  )

  it.each([
    ['not_interested', {}, { status: 'LOST' }],
    [
      'callback_requested',
      { callback_time: '2026-11-20T20:00:00Z' },
      { status: 'CALLBACK_TO_TRANSFER', next_call_time_reason: 'CALLBACK' },
    ],
  ])(
    'an appointment that is confirmed after its call does not change the lead when the call ended as %s',
    async (outcome, more, expected) => {
      const { lead, call } = await world.inCall()
      world.setAnswer(async () => {
        await complete(call, outcome, more)
        return json({ booking_id: 'b-1' })
      })
      expect(await bookIn(call)).toMatchObject({ status: 201 })
      expect(await leadNow(lead)).toMatchObject(expected)
    },
  )

  it('an appointment that is confirmed after its call does not overwrite a status set in between', async () => {
    const { lead, call } = await world.inCall()
    world.setAnswer(async () => {
      await complete(call, 'completed')
      await patched(lead, { status: 'CLOSED' })
      return json({ booking_id: 'b-1' })
    })
    expect(await bookIn(call)).toMatchObject({ status: 201 })
    expect(await leadNow(lead)).toMatchObject({ status: 'CLOSED' })
  })
})
