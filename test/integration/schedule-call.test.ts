import { beforeAll, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as schedule } from '#functions/leads/schedule-call.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { changeLead, getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { updateItem } from '#shared/platform/table/table.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { helped } from '#test/support/helped.ts'
import { created, leadNow, patched, times } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { agentReport, KEY, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const HOUR = 60 * MINUTE
const INACTIVE = 5

const { world, queued, place, keysAsked } = callWorld()

beforeAll(async () => {
  await saveLeadType(sampleLeadType({ id: INACTIVE, active: false }))
})

const sent = watchSent()
const ordered = (id: number, body: unknown = {}, headers: Record<string, string> = {}, key = KEY) =>
  request(schedule, {
    method: 'POST',
    path: `/api/leads/${id}/schedule-call/`,
    parameters: { id: `${id}` },
    headers: { Authorization: `Token ${key}`, ...headers },
    body,
  })

const scheduled = async (id: number, body: unknown = {}, key = KEY) => {
  const answer = await ordered(id, body, {}, key)
  expect(answer).toMatchObject({ status: 200, body: { id } })
  expect(Object.keys(answer.body)).toEqual(['id', 'scheduled', 'next_call_time', 'next_call_time_reason', 'detail'])
  return answer.body
}

const tell = async (callId: string, type: string, data: unknown = {}) =>
  expect(await request(report, agentReport(world().agentSecret, callId, type, data))).toMatchObject({ status: 200 })

const inCall = async () => {
  const lead = await created()
  await place(await queued())
  return lead
}

describe('a scheduled call', () => {
  it('a scheduled call replaces the pending call', async () => {
    const lead = await created()
    const [first] = await queued()
    const told = { next_call_time: '2026-11-20T16:01:00.000000+00:00', next_call_time_reason: 'SCHEDULED' }
    const detail = 'The call is scheduled for 2026-11-20T16:01:00.000000+00:00.'
    expect(await scheduled(lead.id, { call_time: '2026-11-20T11:01:00-05:00' })).toEqual({ id: lead.id, scheduled: true, ...told, detail })
    expect(await leadNow(lead.id)).toMatchObject({ ...told, status: 'OPEN' })
    expect(await world().queues.delayed('CALL_QUEUE_URL')).toBe(1)
    await place([first])
    expect(keysAsked()).toEqual([])
    setClock(NOON + MINUTE)
    await place([{ ...first, due_at: NOON + MINUTE }])
    expect(keysAsked()).toEqual([`${lead.id}-1`])
  })

  it('a scheduled call is sent by the sweep when its time is far off', async () => {
    const lead = await created()
    const [first] = await queued()
    const due_at = Date.parse('2026-11-23T15:00:00Z')
    expect(await sent(() => scheduled(lead.id, { call_time: '2026-11-23T15:00:00Z' }))).toEqual([])
    setClock(due_at - MINUTE)
    const own = (await sent(() => dispatchDue())).filter(({ body }) => body.lead_id === lead.id)
    expect(own).toEqual([{ body: { ...first, due_at }, delaySeconds: expect.any(Number), group: `${OWNER}` }])
    // To the second by the clock at that moment.
    expect(own[0]!.delaySeconds).toBeLessThanOrEqual(60)
    expect(own[0]!.delaySeconds).toBeGreaterThanOrEqual((due_at - now()) / 1000)
  })

  it.each([undefined, null])('a scheduled call takes the next available time when call_time is %s', async (call_time) => {
    const lead = await created({ call_schedule_start_time: '2026-11-20T17:00:00Z' })
    const { next_call_time, detail } = await scheduled(lead.id, { call_time })
    expect(next_call_time).toBe('2026-11-20T17:00:00.000000+00:00')
    expect(detail).toMatch(/next time that is available.*does not start before/)
  })

  it('a scheduled call starts at once when that is lawful', async () => {
    const lead = await created()
    setClock(NOON + 5 * MINUTE)
    await queued()
    expect(await scheduled(lead.id)).toMatchObject({ scheduled: true, next_call_time: expect.stringContaining('2026-11-20T16:05') })
    await place(await queued())
    expect(keysAsked()).toEqual([`${lead.id}-1`])
  })

  it('a scheduled call moves from outside the lawful window to the next lawful time', async () => {
    const lead = await created({ us_state: 'AL' })
    const { scheduled: isScheduled, next_call_time, detail } = await scheduled(lead.id, { call_time: '2026-11-22T16:00:00Z' })
    expect({ isScheduled, next_call_time }).toEqual({ isScheduled: true, next_call_time: '2026-11-23T13:00:00.000000+00:00' })
    expect(detail).toMatch(/2026-11-23T13:00:00.*after 2026-11-22T16:00:00.*no calls on a Sunday/)
  })

  it('a form can schedule a call, and a blank call_time means the next available time', async () => {
    const lead = await created()
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await ordered(lead.id, 'call_time=2026-11-20T18%3A00%3A00Z', form)).toMatchObject({
      status: 200,
      body: { next_call_time: '2026-11-20T18:00:00.000000+00:00' },
    })
    expect((await ordered(lead.id, 'call_time=', form)).body.next_call_time).toMatch(/^2026-11-20T16:00/)
    expect((await ordered(lead.id, '')).status).toBe(200)
  })

  it('a scheduled call cancels a promised callback', async () => {
    const lead = await inCall()
    await tell(`${lead.id}-1`, 'call.completed', { outcome: 'callback_requested', callback_time: '2026-11-20T20:00:00Z' })
    expect(await getLead(lead.id)).toMatchObject({ promised_time: NOON + 4 * HOUR })
    await scheduled(lead.id, { call_time: '2026-11-20T21:00:00Z' })
    expect(await getLead(lead.id)).toMatchObject({ promised_time: null, next_call_time: NOON + 5 * HOUR, status: 'CALLBACK_TO_TRANSFER' })
  })

  it('a call is scheduled once per idempotency key', async () => {
    const lead = await created()
    const key = { 'Idempotency-Key': `schedule ${lead.id}` }
    const first = await ordered(lead.id, { call_time: '2026-11-20T18:00:00Z' }, key)
    await scheduled(lead.id, { call_time: '2026-11-20T19:00:00Z' })
    const again = await ordered(lead.id, { call_time: '2026-11-20T18:00:00Z' }, key)
    expect(again).toMatchObject({ status: 200, body: first.body, headers: { 'Idempotent-Replayed': 'true' } })
    expect(await leadNow(lead.id)).toMatchObject({ next_call_time: '2026-11-20T19:00:00.000000+00:00' })
  })

  it("a lead's call is set to one of the requested times when eight requests arrive at once", async () => {
    const lead = await created()
    const wanted = (minute: number) => `2026-11-20T18:0${minute}:00.000000+00:00`
    const answers = await times(8, (index) => scheduled(lead.id, { call_time: wanted(index) }))
    expect(answers.map(({ next_call_time }) => next_call_time)).toEqual(answers.map((_, index) => wanted(index)))
    const { next_call_time, version } = (await getLead(lead.id))!
    expect(answers.map((_, index) => Date.parse(wanted(index)))).toContain(next_call_time)
    expect(version).toBe(9)
  })
})

describe('the field call_time', () => {
  const wrong = helped('Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]. …')

  const past = (sent: string) => `This time is in the past. You sent ${sent}.000000+00:00. It is now 2026-11-20T16:00:00.000000+00:00.`

  it.each([
    ['2026-11-20T10:59:59-05:00', past('2026-11-20T15:59:59')],
    ['0001-01-01T00:00:00Z', past('0001-01-01T00:00:00')],
    ['tomorrow', wrong],
    ['', wrong],
    [17, wrong],
    [true, wrong],
    [{}, wrong],
  ])('scheduling a call refuses the call_time %s and changes nothing', async (call_time, message) => {
    const lead = await created()
    expect(await ordered(lead.id, { call_time })).toMatchObject({ status: 400, body: { call_time: [message] } })
    expect(await leadNow(lead.id)).toEqual(lead)
  })

  it('scheduling a call accepts a call_time at the end of the year 9999', async () => {
    const lead = await created()
    expect(await scheduled(lead.id, { call_time: '9999-12-31T23:59:59Z' })).toMatchObject({ scheduled: true })
    expect(await scheduled(lead.id, { call_time: '9999-12-31T06:00:00-10:00' })).toMatchObject({ scheduled: true })
  })
})

describe('a lead that may not be called', () => {
  type Make = () => Promise<{ readonly id: number; readonly key?: string }>

  it.each<[string, Make, RegExp]>([
    ['is cancelled', async () => patched((await created()).id, { status: 'CANCELLED' }), /status CANCELLED/],
    ['is closed', async () => patched((await created()).id, { status: 'CLOSED' }), /status CLOSED/],
    ['is under “do not contact”', async () => patched((await created()).id, { call_dnc: true }), /must not be called/],
    [
      'has a phone under “do not contact”',
      async () => {
        const { id, phone_number } = await created()
        const update = { UpdateExpression: 'SET call_dnc = :yes ADD version :one', ExpressionAttributeValues: { ':yes': true, ':one': 1 } }
        await updateItem({ pk: await phonePk('1', phone_number), sk: 'PHONE' }, update)
        return { id }
      },
      /must not be called/,
    ],
    ['has a lead type that is not active', () => created({ lead_type: INACTIVE }), /not active/],
    [
      'has no lead type',
      async () => {
        const { id } = await created()
        await changeLead(id, (lead) => ({ ...lead, lead_type: null }))
        return { id }
      },
      /no lead type/,
    ],
    [
      'has had all of its calls',
      async () => {
        const { id } = await created()
        await changeLead(id, (lead) => ({ ...lead, round_attempts: 8 }))
        return { id }
      },
      /8 of at most 8 attempts/,
    ],
    ['is in a call', inCall, /in progress/],
    [
      'belongs to a user who has paused',
      async () => {
        const { id } = await created({}, OTHER_KEY)
        await updateItem(linesKey(2), { UpdateExpression: 'SET paused = :yes', ExpressionAttributeValues: { ':yes': true } })
        return { id, key: OTHER_KEY }
      },
      /paused outbound calls/,
    ],
  ])('a call is not scheduled, and the lead stays unchanged, when the lead %s', async (_, make, reason) => {
    const { id, key = KEY } = await make()
    await queued()
    const before = await getLead(id)
    for (const call_time of [null, '2026-11-21T15:00:00Z']) {
      const told = await scheduled(id, { call_time }, key)
      expect(told).toMatchObject({ scheduled: false, detail: expect.stringMatching(reason) })
      expect(Date.parse(told.next_call_time ?? '')).toBe(before!.next_call_time ?? Number.NaN)
      expect(told.next_call_time_reason).toBe(before!.next_call_time_reason)
    }
    expect(await getLead(id)).toEqual(before)
    expect(await queued()).toEqual([])
  })

  it('a lead can be scheduled again once its call has an outcome', async () => {
    const lead = await inCall()
    await tell(`${lead.id}-1`, 'call.completed', { outcome: 'no_answer' })
    expect(await leadNow(lead.id)).toMatchObject({ next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await scheduled(lead.id)).toMatchObject({ scheduled: true, next_call_time_reason: 'SCHEDULED' })
  })
})
