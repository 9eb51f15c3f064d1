import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { json, SECRET, START } from '#test/support/calendar-calls.ts'
import { leadNow, patch } from '#test/support/lead-requests.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { TOOL_CASES, type ToolCase } from '#test/support/platforms/tool-cases.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { suiteReceiver } from '#test/support/suite-world.ts'

let chosen: ToolCase
let started: Awaited<ReturnType<ToolCase['start']>>
let calendarAnswer: ReceiverAnswer
const calendar = suiteReceiver(() => calendarAnswer)

const { deliver, answers, definition, called, place, queued } = platformCalls(
  async (clock) => {
    started = await chosen.start(clock)
    return { ...started, name: chosen.name }
  },
  now,
  () => ({ url: `${calendar().url}/cal/`, secret: SECRET, representative_field: 'representative' }),
)
beforeEach(() => {
  calendarAnswer = json({})
  calendar().requests.length = 0
})

/** Places a call that goes on. */
const talking = async () => {
  const one = await called(chosen.lastFour)
  const [rung] = started.platform.rung
  started.answer?.(rung!.platformCallId)
  await deliver()
  return { ...one, id: rung!.platformCallId }
}

/** The answer of a tool, as the assistant of each platform reads it. */
const heard = ({ status, body }: { readonly status: number; readonly body: Record<string, unknown> }) => {
  expect(status).toBe(200)
  const [result] = (body['results'] ?? []) as { result?: string; error?: string }[]
  if (!result) return body
  return result.error === undefined ? JSON.parse(result.result ?? '') : { ok: false, message: result.error }
}
const use = async (id: string, tool: Parameters<typeof definition>[0], args: Record<string, unknown> = {}) => {
  await started.use(id, tool, args, await definition(tool))
  const [answer] = await answers()
  return heard(answer!)
}

describe.each(TOOL_CASES)('an assistant on $name', (one) => {
  beforeAll(() => {
    chosen = one
  })

  it(`an assistant on ${one.name} finds slots with its tools, books one once, and stores what the person says`, async () => {
    const { id, call, lead } = await talking()
    calendarAnswer = json({ slots: [{ start_time: START }, { start_time: '2020-01-01T00:00:00Z' }] })
    const found = await use(id, 'find_slots', { duration_minutes: 30 })
    expect(found).toMatchObject({ ok: true, slots: [{ start_time: START }] })
    expect(found.slots).toHaveLength(1)
    expect(JSON.parse(calendar().requests[0]!.body)).toMatchObject({ call_id: call, duration_minutes: 30 })
    calendarAnswer = json({ booking_id: 'b-1' }, 201)
    for (const _ of ['first', 'repeat']) {
      expect(await use(id, 'book_slot', { start_time: START, title: 'Roof' })).toMatchObject({
        ...{ ok: true, message: 'The appointment is booked.' },
        appointment: { start_time: START, title: 'Roof', booking: { booking_id: 'b-1' } },
      })
    }
    expect(calendar().requests).toHaveLength(2)
    expect(await getCall(call)).toMatchObject({ appointment: { start_time: START }, talked_time: expect.any(Number) })
    expect(await use(id, 'note', { email: 'ann@example.com', note: 'Old roof.' })).toEqual({ ok: true, message: 'Recorded.' })
    expect(await leadNow(lead)).toMatchObject({ email: 'ann@example.com', metadata: { note: 'Old roof.' } })
  })

  it(`an assistant on ${one.name} learns that a slot is taken, that the calendar fails, and which argument is wrong`, async () => {
    const { id, call } = await talking()
    calendarAnswer = json({}, 409)
    expect(await use(id, 'book_slot', { start_time: START })).toEqual({ ok: false, message: 'The slot is taken. Offer another one.' })
    calendarAnswer = { status: 500 }
    expect(await use(id, 'find_slots')).toEqual({ ok: false, message: expect.stringContaining('The calendar did not answer.') })
    expect(await use(id, 'book_slot', { start_time: START })).toEqual({ ok: false, message: expect.stringContaining('promise nothing') })
    const sent = calendar().requests.length
    expect(await use(id, 'book_slot', { start_time: 'tomorrow' })).toEqual({
      ok: false,
      message: expect.stringMatching(/^Nothing was done\. Correct the arguments and try again\. start_time: /),
    })
    expect(await use(id, 'book_slot')).toMatchObject({ ok: false, message: expect.stringContaining('start_time: This field is required.') })
    expect(await use(id, 'note')).toEqual({ ok: false, message: 'Nothing was noted: give at least one argument.' })
    expect(calendar().requests).toHaveLength(sent)
    expect(await getCall(call)).toMatchObject({ appointment: null })
  })

  it(`an assistant on ${one.name} that reports a stop can say goodbye, and is not cut off`, async () => {
    const { id, call, lead } = await talking()
    expect(await use(id, 'do_not_call', { channel: 'call' })).toEqual({
      ok: true,
      message: 'Recorded: the person is not called again. This person must not be called: say goodbye and end the call.',
    })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, next_call_time: null })
    await place(await queued())
    expect(await getCall(call)).toMatchObject({ call_stopped: expect.any(String), ended_time: null, cancel_asked_time: null })
  })

  it(`an assistant on ${one.name} reports with one tool that a person wants neither calls nor texts`, async () => {
    const { id, lead } = await talking()
    expect(await use(id, 'do_not_call', { channel: 'both' })).toMatchObject({
      ok: true,
      message: expect.stringContaining('the person is not called again, and gets no more text messages.'),
    })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: true, sms_dnc: true })
  })

  it(`an assistant on ${one.name} reports with a tool that a person wants no more texts`, async () => {
    const { id, lead } = await talking()
    expect(await use(id, 'do_not_call', { channel: 'sms' })).toEqual({
      ok: true,
      message: 'Recorded: the person gets no more text messages.',
    })
    expect(await leadNow(lead)).toMatchObject({ call_dnc: false, sms_dnc: true })
  })

  it(`an assistant on ${one.name} learns of a stop from elsewhere with the next answer, and the call ends if it can`, async () => {
    const { id, call, lead } = await talking()
    await use(id, 'note', { note: 'Old roof.' })
    await patch(lead, { call_dnc: true })
    // The message of the stop is lost.
    await queued()
    const told = await use(id, 'note', { note: 'New roof.' })
    expect(told).toEqual({ ok: true, message: 'Recorded. This person must not be called: say goodbye and end the call.' })
    // The answer did not wait for a request to the platform.
    expect(await getCall(call)).toMatchObject({ cancel_asked_time: null })
    await place(await queued())
    await deliver()
    const ended = one.canEnd ? expect.any(Number) : null
    expect(await getCall(call)).toMatchObject({ cancel_asked_time: ended })
  })
})
