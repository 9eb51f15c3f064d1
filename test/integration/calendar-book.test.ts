import { describe, expect, it } from '@jest/globals'
import { handler as book } from '#functions/agents/calendar-book.ts'
import { handler as report } from '#functions/agents/call-events.ts'
import { noteWanted } from '#shared/agents/appointments.ts'
import { getCall, recordMilestones } from '#shared/calling/call-store.ts'
import { calendarWorld, json, LATER, START } from '#test/support/calendar-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { eventually } from '#test/support/eventually.ts'
import { helped } from '#test/support/helped.ts'
import { NOON } from '#test/support/samples.ts'
import { agentReport, request } from '#test/support/world.ts'

const world = calendarWorld()

describe('an appointment', () => {
  const wanted = { start_time: '2026-11-23T10:00:00-05:00', duration_minutes: 30, title: 'Consultation', notes: 'Bring papers.' }
  const booked = { ...wanted, start_time: START, booking: { booking_id: 'b-1' } }

  it('an appointment in the past is refused, and another may be booked in the same call', async () => {
    const { call } = await world.inCall()
    const refused = await world.ask(book, call, { start_time: '2020-01-01T00:00:00Z' })
    expect(refused).toMatchObject({ status: 400, body: { start_time: [helped('This time is in the past. …')] } })
    expect(world.calendar.requests).toEqual([])
    world.setAnswer(json({ booked: true }))
    expect(await world.ask(book, call, { start_time: START })).toMatchObject({ status: 201 })
  })

  it('an appointment is booked once, stored with the call, and answered from there when requested again', async () => {
    const { call, lead } = await world.inCall({}, { representative: 12 })
    world.setAnswer(json({ booking_id: 'b-1' }, 201))
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 201, body: { appointment: booked } })
    expect(await world.ask(book, call, { ...wanted, start_time: START, title: 'Other' })).toMatchObject({
      status: 200,
      body: { appointment: booked },
    })
    expect(world.calendar.requests).toHaveLength(1)
    expect(world.calendar.requests[0]).toMatchObject({ path: '/cal/book', headers: { 'idempotency-key': call } })
    expect(world.sent()[0]).toMatchObject({ call_id: call, lead: { id: lead }, representative: 12, ...wanted, start_time: START })
    const completed = agentReport(world.agentSecret, call, 'call.completed', { outcome: 'appointment_booked', appointment: { other: 1 } })
    expect((await request(report, completed)).status).toBe(200)
    expect(await getCall(call)).toMatchObject({ appointment: booked, outcome: 'COMPLETED_CLOSED_OTHER' })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 200, body: { appointment: booked } })
  })

  it('an appointment is refused when the call already has another one', async () => {
    const { call } = await world.inCall()
    await world.ask(book, call, wanted)
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({
      status: 409,
      body: { detail: `This call already has an appointment at ${START}.` },
    })
    expect(world.calendar.requests).toHaveLength(1)
  })

  it('an appointment is answered with a 409 when the slot is taken, and another slot may be tried', async () => {
    const { call } = await world.inCall()
    world.setAnswer(json({ error: 'taken' }, 409))
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 409, body: { detail: 'The slot is taken.' } })
    expect(await getCall(call)).toMatchObject({ appointment: null })
    world.setAnswer({})
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({
      status: 201,
      body: { appointment: { start_time: LATER, duration_minutes: null, title: null, notes: null, booking: null } },
    })
  })

  it('an appointment may be requested again after the calendar fails, and keeps its idempotency key', async () => {
    const { call } = await world.inCall()
    world.setAnswer({ status: 500 })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 424, body: { detail: 'The calendar answered 500.' } })
    world.setAnswer(json({ booking_id: 'b-1' }))
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 201, body: { appointment: booked } })
    expect(world.calendar.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([call, call])
  })

  it('an appointment that is possibly booked blocks every other one of its call', async () => {
    const { call } = await world.inCall()
    world.setAnswer({ status: 504 })
    await world.ask(book, call, wanted)
    world.setAnswer(json({ booking_id: 'b-1' }))
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({
      status: 409,
      body: { detail: `This call requested an appointment at ${START}, which may be booked. Only that one can be requested again.` },
    })
    expect(world.calendar.requests).toHaveLength(1)
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 201, body: { appointment: booked } })
  })

  it('an appointment is stored at the time that the calendar reports, even if another was requested', async () => {
    const { call } = await world.inCall()
    world.setAnswer(json({ booking_id: 'b-1', start_time: wanted.start_time }))
    const refused = await world.ask(book, call, { start_time: LATER })
    expect(refused).toMatchObject({ status: 409, body: { detail: `This call already has an appointment at ${START}.` } })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 200, body: { appointment: { start_time: START } } })
  })

  it.each([301, 403, 422])('an appointment is not booked when the calendar answers %d, and another may be requested', async (status) => {
    const { call } = await world.inCall()
    world.setAnswer({ status })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 424, body: { detail: `The calendar answered ${status}.` } })
    world.setAnswer({})
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({ status: 201 })
  })

  it('an appointment is not booked when the calendar request cannot be signed', async () => {
    const { call } = await world.inCall({ secret: 'my-secret' })
    for (const start_time of [START, LATER]) {
      expect(await world.ask(book, call, { start_time })).toMatchObject({
        status: 424,
        body: { detail: 'The calendar could not be reached: A secret to sign with is malformed.' },
      })
    }
  })

  it.each([408, 425, 429, 500])('an appointment counts as possibly booked when the calendar answers %d', async (status) => {
    const { call } = await world.inCall()
    world.setAnswer({ status })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 424 })
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({ status: 409 })
  })

  it('an appointment stays possibly booked after a refusal, until the calendar says the slot is taken', async () => {
    const { call } = await world.inCall()
    for (const status of [504, 422]) {
      world.setAnswer({ status })
      expect(await world.ask(book, call, wanted)).toMatchObject({ status: 424 })
    }
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({ status: 409 })
    world.setAnswer({ status: 409 })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 409, body: { detail: 'The slot is taken.' } })
    world.setAnswer({})
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({ status: 201 })
  })

  it('only one appointment is booked when a call requests several at the same time', async () => {
    const { call } = await world.inCall()
    const starts = [START, START, LATER, LATER]
    let answered = 0
    const asked = async (start_time: string) => {
      const answer = await world.ask(book, call, { start_time })
      answered++
      return answer
    }
    // The calendar answers when all others have been refused.
    world.setAnswer(async () => {
      await eventually(() => answered === starts.length - 1)
      return {}
    })
    const answers = await Promise.all(starts.map(asked))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expect(world.calendar.requests).toHaveLength(1)
    const winner = answers.findIndex(({ status }) => status === 201)
    expect((await getCall(call))?.appointment).toMatchObject({ start_time: starts[winner] })
    expect(answers[winner]?.body.appointment.start_time).toBe(starts[winner])
  })

  it('an appointment can be requested again only when an earlier request for it has expired', async () => {
    const { call } = await world.inCall()
    await noteWanted((await getCall(call))!, Date.parse(START), { now: NOON, until: NOON + 10_000 })
    const busy = { status: 409, body: { detail: 'This appointment is being booked right now. Ask again in a few seconds.' } }
    expect(await world.ask(book, call, wanted)).toMatchObject(busy)
    expect(world.calendar.requests).toEqual([])
    setClock(NOON + 10_500)
    expect(await world.ask(book, call, { start_time: LATER })).toMatchObject({ status: 409 })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 201 })
  })

  it.each(['ended_time', 'completed_time', 'refused_time', 'unknown_time'] as const)(
    'an appointment is refused with a 409 once the %s of its call is set',
    async (over) => {
      const { call } = await world.inCall()
      await recordMilestones((await getCall(call))!, { [over]: NOON })
      expect(await world.ask(book, call, wanted)).toMatchObject({ status: 409, body: { detail: 'The call is over.' } })
      expect(world.calendar.requests).toEqual([])
    },
  )

  it('an appointment is stored with its call even if the call ends during the booking', async () => {
    const { call } = await world.inCall()
    world.setAnswer(async () => {
      await recordMilestones((await getCall(call))!, { ended_time: NOON })
      return json({ booking_id: 'b-1' })
    })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 201, body: { appointment: booked } })
    expect(await world.ask(book, call, wanted)).toMatchObject({ status: 200, body: { appointment: booked } })
  })

  it.each([
    [{}, { start_time: ['This field is required.'] }],
    [
      { start_time: 'noon', duration_minutes: 'x' },
      { start_time: [expect.any(String)], duration_minutes: [helped('A valid integer is required. …')] },
    ],
    [{ start_time: START, title: 'x'.repeat(256) }, { title: ['Ensure this field has no more than 255 characters.'] }],
  ])('an appointment is refused with a 400 for %j', async (body, errors) => {
    const { call } = await world.inCall()
    expect(await world.ask(book, call, body)).toMatchObject({ status: 400, body: errors })
  })
})
