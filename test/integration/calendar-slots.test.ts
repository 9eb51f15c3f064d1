import { describe, expect, it, jest } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { handler as book } from '#functions/agents/calendar-book.ts'
import { handler as slots } from '#functions/agents/calendar-slots.ts'
import { calendarWorld, json, LATER, SECRET, START } from '#test/support/calendar-calls.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'

const world = calendarWorld()

describe('free slots', () => {
  it('free slots are requested with the call, lead and representative, signed, and passed on', async () => {
    const { lead, call } = await world.inCall({}, { representative: 12 })
    const free = [
      { start_time: '2026-11-23T10:00:00-05:00', end_time: '2026-11-23T10:30:00-05:00', room: 'x' },
      { start_time: START, duration_minutes: 30 },
    ]
    world.setAnswer(json({ slots: free, more: true }))
    const found = await world.ask(slots, call, { from: 'tomorrow', to: '2026-11-28T00:00:00Z', duration_minutes: 30 })
    expect(found.status).toBe(400)
    expect(found.body).toEqual({ from: [expect.stringContaining('Datetime has wrong format.')] })
    expect(
      await world.ask(slots, call, { from: '2026-11-21T00:00:00-05:00', to: '2026-11-28T00:00:00Z', duration_minutes: '30' }),
    ).toMatchObject({
      status: 200,
      body: {
        slots: [
          { start_time: '2026-11-23T10:00:00-05:00', end_time: '2026-11-23T10:30:00-05:00', duration_minutes: null },
          { start_time: START, end_time: null, duration_minutes: 30 },
        ],
      },
    })
    const [one] = world.calendar.requests
    expect(one).toMatchObject({ method: 'POST', path: '/cal/slots' })
    expect(() => new Webhook(SECRET).verify(one!.body, one!.headers as Record<string, string>)).not.toThrow()
    expect(world.sent()[0]).toMatchObject({
      call_id: call,
      lead: { id: lead, phone_number: expect.stringMatching(/^\+1212555/) },
      representative: 12,
      from: '2026-11-21T05:00:00.000000+00:00',
      to: '2026-11-28T00:00:00.000000+00:00',
      duration_minutes: 30,
    })
  })

  it('free slots are limited to the requested time, even if the calendar returns more', async () => {
    const { call } = await world.inCall()
    const at = (start_time: string) => ({ start_time })
    world.setAnswer(json({ slots: [at('2020-01-01T10:00:00Z'), at('2026-11-23T10:00:00Z'), at('2026-11-24T10:00:00Z')] }))
    const { body } = await world.ask(slots, call, { to: '2026-11-24T10:00:00Z' })
    expect(body.slots).toEqual([expect.objectContaining(at('2026-11-23T10:00:00Z'))])
  })

  it('free slots are filtered by time even when the calendar omits minutes and offset', async () => {
    const { call } = await world.inCall()
    const at = (start_time: string) => ({ start_time })
    world.setAnswer(json({ slots: [at('2020-01-01 10'), at('2026-11-23 10')] }))
    const { body } = await world.ask(slots, call, {})
    expect(body.slots).toEqual([expect.objectContaining(at('2026-11-23 10'))])
  })

  it('free slots start from now when the request gives no times', async () => {
    const { call } = await world.inCall()
    world.setAnswer(json({ slots: [] }))
    expect(await world.ask(slots, call, {})).toMatchObject({ status: 200, body: { slots: [] } })
    expect(world.sent()[0]).toMatchObject({ from: expect.stringMatching(/^2026-11-20T16:00:0/), to: null, duration_minutes: null })
  })

  it.each([
    ['external_id', { external_id: 'rep-7' }, 'rep-7'],
    ['loan_officer', { loan_officer: 'Ann' }, 'Ann'],
    ['loan_officer', {}, null],
  ])('free slots are requested for the representative in the field %s', async (representative_field, lead, representative) => {
    const { call } = await world.inCall({ representative_field }, lead)
    world.setAnswer(json({ slots: [] }))
    await world.ask(slots, call, {})
    expect(world.sent()[0]).toMatchObject({ representative })
  })

  it('free slots are requested without a signature when the calendar has no secret', async () => {
    const { call } = await world.inCall({ secret: null })
    world.setAnswer(json({ slots: [] }))
    expect(await world.ask(slots, call, {})).toMatchObject({ status: 200 })
    expect(world.calendar.requests[0]?.headers['webhook-signature']).toBeUndefined()
  })

  it('free slots are at most two hundred', async () => {
    const { call } = await world.inCall()
    world.setAnswer(json({ slots: Array.from({ length: 300 }, () => ({ start_time: START })) }))
    expect((await world.ask(slots, call, {})).body.slots).toHaveLength(200)
  })

  it.each<[string, ReceiverAnswer]>([
    ['fails', { status: 500 }],
    ['refuses', { status: 403 }],
    ['redirects elsewhere', { status: 302, headers: { location: '/cal/slots' } }],
    ['answers nothing', {}],
    ['answers no JSON', { body: '<html>' }],
    ['answers without a list of slots', json({ slots: 'many' })],
    ['answers slots without valid times', json({ slots: [{ start_time: 'noon' }] })],
    ['answers too much', json({ slots: [], rest: 'x'.repeat(100_000) })],
  ])('a request for free slots is answered with a 424 when the calendar %s', async (_, given) => {
    const { call } = await world.inCall()
    world.setAnswer(given)
    expect(await world.ask(slots, call, {})).toMatchObject({ status: 424, body: { detail: expect.stringContaining('The calendar') } })
    expect(world.calendar.requests).toHaveLength(1)
  })

  it('a request for free slots gets a 424 when the calendar is unreachable or uses plain HTTP at an unlisted host', async () => {
    for (const url of ['http://127.0.0.1:1/', 'http://calendar.example.com/']) {
      const { call } = await world.inCall({ url })
      expect(await world.ask(slots, call, {})).toMatchObject({ status: 424, body: { detail: expect.any(String) } })
    }
  })

  it('requests for free slots and bookings are answered with a 404 when there is no calendar', async () => {
    const { call } = await world.inCall(null)
    expect(await world.ask(slots, call, {})).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    expect(await world.ask(book, call, { start_time: START })).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
  })

  it.each([
    [{ from: LATER, to: START }, { to: ['Ensure this value is later than that of from.'] }],
    [{ duration_minutes: 0 }, { duration_minutes: ['Ensure this value is greater than or equal to 1.'] }],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
  ])('a request for free slots is refused with a 400 for %j', async (body, errors) => {
    const { call } = await world.inCall()
    expect(await world.ask(slots, call, body)).toMatchObject({ status: 400, body: errors })
    expect(world.calendar.requests).toEqual([])
  })

  it('a request for free slots times out after 8 seconds', async () => {
    const { call } = await world.inCall()
    world.setAnswer(undefined)
    const limit = AbortSignal.timeout.bind(AbortSignal)
    const limited = jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => limit(milliseconds / 100))
    try {
      expect(await world.ask(slots, call, {})).toMatchObject({
        status: 424,
        body: { detail: 'The calendar could not be reached: no answer in time.' },
      })
      expect(limited.mock.calls).toEqual([[8000]])
    } finally {
      limited.mockRestore()
    }
  })
})
