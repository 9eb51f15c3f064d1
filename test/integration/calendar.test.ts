import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { handler as book } from '#functions/agents/calendar-book/index.ts'
import { handler as slots } from '#functions/agents/calendar-slots/index.ts'
import { handler as report } from '#functions/agents/call-events/index.ts'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import type { LeadType } from '#shared/schema/configuration.ts'
import { getCall } from '#shared/storage/calls.ts'
import { saveLeadType } from '#shared/storage/lead-types.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { type Receiver, type ReceiverAnswer, startReceiver } from '#test/support/receiver.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { agentReport, consumeAll, OWNER, request, setClock, startWorld } from '#test/support/world.ts'

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
const START = '2026-11-23T15:00:00.000000+00:00'
const LATER = '2026-11-23T16:00:00.000000+00:00'

let world: Awaited<ReturnType<typeof startWorld>>
let calendar: Receiver
let next = 5000
let type = 100
/** What the calendar answers; undefined: never. */
let answer: ReceiverAnswer | undefined

beforeAll(async () => {
  world = await startWorld()
  calendar = await startReceiver({ respond: () => answer })
})
afterAll(async () => {
  await calendar.close()
  await world.stop()
})
beforeEach(async () => {
  setClock(NOON)
  answer = {}
  calendar.requests.length = 0
  await world.queues.take('CALL_QUEUE_URL')
})

interface InCall {
  readonly lead: number
  readonly call: string
}

/** A call of a lead type of its own: what a function knows of one it keeps for a while. */
const inCall = async (
  changes: Partial<NonNullable<LeadType['calendar']>> | null = {},
  lead: Record<string, unknown> = {},
): Promise<InCall> => {
  const settings = changes && { url: `${calendar.url}/cal/`, secret: SECRET, representative_field: 'representative', ...changes }
  const id = ++type
  await saveLeadType(sampleLeadType({ id, owner: OWNER, calendar: settings }))
  const body = { phone_number: `+1212555${next++}`, timezone: 'America/New_York', lead_type: id, ...lead }
  const created = await request(create, { method: 'POST', path: '/api/leads/', body })
  await consumeAll(
    placeCall,
    (await world.queues.take('CALL_QUEUE_URL')).map((text) => JSON.parse(text)),
  )
  return { lead: created.body.id, call: `${created.body.id}-1` }
}

const ask = (handler: typeof slots, call: string, body: unknown, secret = world.agentSecret) =>
  request(handler, agentRequest(secret, `/api/agents/calls/${call}/calendar/`, body, { call_id: call }))

const sent = () => calendar.requests.map(({ body }) => JSON.parse(body))
const json = (body: unknown, status = 200): ReceiverAnswer => ({ status, body: JSON.stringify(body) })

describe('free slots', () => {
  it('are asked for with the call, the lead and its representative, signed, and passed on', async () => {
    const { lead, call } = await inCall({}, { representative: 12 })
    const free = [
      { start_time: '2026-11-23T10:00:00-05:00', end_time: '2026-11-23T10:30:00-05:00', room: 'x' },
      { start_time: START, duration_minutes: 30 },
    ]
    answer = json({ slots: free, more: true })
    const found = await ask(slots, call, { from: 'tomorrow', to: '2026-11-28T00:00:00Z', duration_minutes: 30 })
    expect(found.status).toBe(400)
    expect(found.body).toEqual({ from: [expect.stringContaining('Datetime has wrong format.')] })
    expect(await ask(slots, call, { from: '2026-11-21T00:00:00-05:00', to: '2026-11-28T00:00:00Z', duration_minutes: '30' })).toMatchObject(
      {
        status: 200,
        body: {
          slots: [
            { start_time: '2026-11-23T10:00:00-05:00', end_time: '2026-11-23T10:30:00-05:00', duration_minutes: null },
            { start_time: START, end_time: null, duration_minutes: 30 },
          ],
        },
      },
    )
    const [one] = calendar.requests
    expect(one).toMatchObject({ method: 'POST', path: '/cal/slots' })
    expect(() => new Webhook(SECRET).verify(one!.body, one!.headers as Record<string, string>)).not.toThrow()
    expect(sent()[0]).toMatchObject({
      call_id: call,
      lead: { id: lead, phone_number: expect.stringMatching(/^\+1212555/) },
      representative: 12,
      from: '2026-11-21T05:00:00.000000+00:00',
      to: '2026-11-28T00:00:00.000000+00:00',
      duration_minutes: 30,
    })
  })

  it('are those from now on when nothing is said', async () => {
    const { call } = await inCall()
    answer = json({ slots: [] })
    for (const body of ['', {}]) expect(await ask(slots, call, body)).toMatchObject({ status: 200, body: { slots: [] } })
    expect(sent()[0]).toMatchObject({ from: expect.stringMatching(/^2026-11-20T16:00:0/), to: null, duration_minutes: null })
  })

  it.each([
    ['external_id', { external_id: 'rep-7' }, 'rep-7'],
    ['loan_officer', { loan_officer: 'Ann' }, 'Ann'],
    ['loan_officer', {}, null],
  ])('are those of whom the field %s names', async (representative_field, lead, representative) => {
    const { call } = await inCall({ representative_field }, lead)
    answer = json({ slots: [] })
    await ask(slots, call, {})
    expect(sent()[0]).toMatchObject({ representative })
  })

  it('are not signed for where there is no secret', async () => {
    const { call } = await inCall({ secret: null })
    answer = json({ slots: [] })
    expect(await ask(slots, call, {})).toMatchObject({ status: 200 })
    expect(calendar.requests[0]?.headers['webhook-signature']).toBeUndefined()
  })

  it('are at most two hundred', async () => {
    const { call } = await inCall()
    answer = json({ slots: Array.from({ length: 300 }, () => ({ start_time: START })) })
    expect((await ask(slots, call, {})).body.slots).toHaveLength(200)
  })

  it.each<[string, ReceiverAnswer]>([
    ['fails', { status: 500 }],
    ['refuses', { status: 403 }],
    ['sends elsewhere', { status: 302, headers: { location: '/cal/slots' } }],
    ['says nothing', {}],
    ['says no JSON', { body: '<html>' }],
    ['has no list', json({ slots: 'many' })],
    ['has none of times', json({ slots: [{ start_time: 'noon' }] })],
    ['says too much', json({ slots: [], rest: 'x'.repeat(100_000) })],
  ])('a calendar that %s is a 502', async (_, given) => {
    const { call } = await inCall()
    answer = given
    expect(await ask(slots, call, {})).toMatchObject({ status: 502, body: { detail: expect.stringContaining('The calendar') } })
    expect(calendar.requests).toHaveLength(1)
  })

  it('one that is not there, or in the clear at a host that nobody named, is a 502', async () => {
    for (const url of ['http://127.0.0.1:1/', 'http://calendar.example.com/']) {
      const { call } = await inCall({ url })
      expect(await ask(slots, call, {})).toMatchObject({ status: 502, body: { detail: expect.any(String) } })
    }
  })

  it('without a calendar there are none: 404', async () => {
    const { call } = await inCall(null)
    expect(await ask(slots, call, {})).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
    expect(await ask(book, call, { start_time: START })).toMatchObject({ status: 404, body: { detail: 'Not found.' } })
  })

  it.each([
    [{ from: LATER, to: START }, { to: ['Ensure this value is later than that of from.'] }],
    [{ duration_minutes: 0 }, { duration_minutes: ['Ensure this value is greater than or equal to 1.'] }],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
  ])('%j is a 400', async (body, errors) => {
    const { call } = await inCall()
    expect(await ask(slots, call, body)).toMatchObject({ status: 400, body: errors })
    expect(calendar.requests).toEqual([])
  })
})

describe('an appointment', () => {
  const wanted = { start_time: '2026-11-23T10:00:00-05:00', duration_minutes: 30, title: 'Consultation', notes: 'Bring papers.' }
  const booked = { ...wanted, start_time: START, booking: { booking_id: 'b-1' } }

  it('is booked once, kept with the call, and answered from there when it is asked for again', async () => {
    const { call, lead } = await inCall({}, { representative: 12 })
    answer = json({ booking_id: 'b-1' }, 201)
    expect(await ask(book, call, wanted)).toMatchObject({ status: 201, body: { appointment: booked } })
    expect(await ask(book, call, { ...wanted, start_time: START, title: 'Other' })).toMatchObject({
      status: 200,
      body: { appointment: booked },
    })
    expect(calendar.requests).toHaveLength(1)
    expect(calendar.requests[0]).toMatchObject({ path: '/cal/book', headers: { 'idempotency-key': call } })
    expect(sent()[0]).toMatchObject({ call_id: call, lead: { id: lead }, representative: 12, ...wanted, start_time: START })
    const completed = agentReport(world.agentSecret, call, 'call.completed', { outcome: 'appointment_booked', appointment: { other: 1 } })
    expect((await request(report, completed)).status).toBe(200)
    expect(await getCall(call)).toMatchObject({ appointment: booked, outcome: 'COMPLETED_CLOSED_OTHER' })
    expect(await ask(book, call, wanted)).toMatchObject({ status: 200, body: { appointment: booked } })
  })

  it('is one in a call', async () => {
    const { call } = await inCall()
    await ask(book, call, wanted)
    expect(await ask(book, call, { start_time: LATER })).toMatchObject({
      status: 409,
      body: { detail: `An appointment at ${START} is booked in this call already.` },
    })
    expect(calendar.requests).toHaveLength(1)
  })

  it('at a slot that is taken is a 409, and another slot may be tried', async () => {
    const { call } = await inCall()
    answer = json({ error: 'taken' }, 409)
    expect(await ask(book, call, wanted)).toMatchObject({ status: 409, body: { detail: 'The slot is taken.' } })
    expect(await getCall(call)).toMatchObject({ appointment: null })
    answer = {}
    expect(await ask(book, call, { start_time: LATER })).toMatchObject({
      status: 201,
      body: { appointment: { start_time: LATER, duration_minutes: null, title: null, notes: null, booking: null } },
    })
  })

  it('of which the calendar has lost the answer is asked for again under the same key', async () => {
    const { call } = await inCall()
    answer = { status: 500 }
    expect(await ask(book, call, wanted)).toMatchObject({ status: 502, body: { detail: 'The calendar answered 500.' } })
    answer = json({ booking_id: 'b-1' })
    expect(await ask(book, call, wanted)).toMatchObject({ status: 201, body: { appointment: booked } })
    expect(calendar.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([call, call])
  })

  it('that was booked for all that, at another time, is the one that the call has', async () => {
    const { call } = await inCall()
    answer = { status: 500 }
    await ask(book, call, wanted)
    answer = json({ booking_id: 'b-1', start_time: wanted.start_time })
    const refused = await ask(book, call, { start_time: LATER })
    expect(refused).toMatchObject({ status: 409, body: { detail: `An appointment at ${START} is booked in this call already.` } })
    expect(await ask(book, call, wanted)).toMatchObject({ status: 200, body: { appointment: { start_time: START } } })
  })

  it('of several at once is one', async () => {
    const { call } = await inCall()
    const answers = await Promise.all([wanted, wanted, { start_time: LATER }, { start_time: LATER }].map((one) => ask(book, call, one)))
    const kept = (await getCall(call))?.appointment?.['start_time']
    for (const [place, { status }] of answers.entries()) {
      expect(status < 300).toBe((place < 2 ? START : LATER) === kept)
    }
  })

  it('after the call is a 409', async () => {
    const { call } = await inCall()
    await request(report, agentReport(world.agentSecret, call, 'call.completed', { outcome: 'hung_up' }))
    expect(await ask(book, call, wanted)).toMatchObject({ status: 409, body: { detail: 'The call is over.' } })
    expect(calendar.requests).toEqual([])
  })

  it.each([
    [{}, { start_time: ['This field is required.'] }],
    [
      { start_time: 'noon', duration_minutes: 'x' },
      { start_time: [expect.any(String)], duration_minutes: ['A valid integer is required.'] },
    ],
    [{ start_time: START, title: 'x'.repeat(256) }, { title: ['Ensure this field has no more than 255 characters.'] }],
  ])('%j is a 400', async (body, errors) => {
    const { call } = await inCall()
    expect(await ask(book, call, body)).toMatchObject({ status: 400, body: errors })
  })
})

it('only the agent of the call may ask', async () => {
  const { call } = await inCall()
  for (const handler of [slots, book]) {
    const forged = await ask(handler, call, { start_time: START }, 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==')
    expect(forged).toMatchObject({ status: 401, body: { detail: 'Invalid signature.' } })
    expect(await ask(handler, '999999-1', { start_time: START })).toEqual(forged)
  }
  expect(calendar.requests).toEqual([])
})

it('a calendar that never answers is given up in time', async () => {
  const { call } = await inCall()
  answer = undefined
  const began = performance.now()
  expect(await ask(slots, call, {})).toMatchObject({ status: 502 })
  expect(performance.now() - began).toBeLessThan(9_500)
}, 15_000)
