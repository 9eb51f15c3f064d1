import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as update } from '#functions/leads/update.ts'
import { isSignedWith } from '#shared/agents/platforms/open/adapter.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { dial } from '#shared/calling/dial.ts'
import { pauseLines, pauseLinesUpTo, unpauseLines } from '#shared/calling/line-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { transact } from '#shared/platform/table/transactions.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { stopContacting } from '#shared/stops/stop.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import type { ReceivedRequest, ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON } from '#test/support/samples.ts'
import { agentReport, OWNER, request } from '#test/support/world.ts'

const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }

type Answers = (received: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>

let agentAnswers: Answers
const { world, queued, place } = callWorld((received) => agentAnswers(received))
let nextPhone = 1000

beforeEach(async () => {
  agentAnswers = () => ACCEPT
  await unpause()
})

const dueLead = async () => {
  const { body } = await request(create, {
    method: 'POST',
    path: '/api/leads/',
    body: { phone_number: `+1212555${nextPhone++}`, timezone: 'America/New_York' },
  })
  const [message] = await queued()
  return { id: body.id as number, phone: body.phone_number as string, callId: `${body.id}-1`, message }
}

const ringing = async () => {
  const lead = await dueLead()
  await place([lead.message])
  return lead
}

const patch = (id: number, body: Record<string, unknown>) =>
  request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body })

const stopPhone = async (phone: string) => stopContacting(OWNER, phone, await phonePk('1', phone), ['call'], { means: 'api' })

const FAR = 1e9
const unpause = () => transact([unpauseLines(OWNER)])

const cancels = () =>
  world()
    .agent.requests.filter(({ path }) => path === '/cancel')
    .map(({ body }) => JSON.parse(body))
const dials = () =>
  world()
    .agent.requests.filter(({ path }) => path !== '/cancel')
    .map(({ headers }) => `${headers['idempotency-key']}`)

const tell = (callId: string, type: string, data: unknown = {}) => request(report, agentReport(world().agentSecret, callId, type, data))

describe('a ringing call', () => {
  it.each<[string, string, (lead: { id: number; phone: string }) => Promise<unknown>]>([
    ['a request not to be called', 'The person must not be called.', ({ phone }) => stopPhone(phone)],
    ['the call_dnc flag of the lead', 'The person must not be called.', ({ id }) => patch(id, { call_dnc: true })],
    ['a cancelled lead', 'The lead is CANCELLED.', ({ id }) => patch(id, { status: 'CANCELLED' })],
    ['a closed lead', 'The lead is CLOSED.', ({ id }) => patch(id, { status: 'CLOSED' })],
  ])('a ringing call is cancelled at the agent because of %s', async (_, reason, stop) => {
    const lead = await ringing()
    await stop(lead)
    const messages = await queued()
    expect(messages).toContainEqual({ type: 'cancel', call_id: lead.callId })
    expect(await place(messages)).toEqual([])
    expect(cancels()).toEqual([{ call_id: lead.callId, reason }])
    const { body, headers } = world().agent.requests.find(({ path }) => path === '/cancel')!
    expect(isSignedWith([world().agentSecret], body, headers as Record<string, string>)).toBe(true)
    expect((await getCall(lead.callId))?.cancel_asked_time).toBeGreaterThanOrEqual(NOON)
    await place(messages)
    expect(cancels()).toHaveLength(1)
  })

  it('a ringing call gets another cancel request when the agent fails, but only for a limited time', async () => {
    const lead = await ringing()
    agentAnswers = () => ({ status: 503 })
    await patch(lead.id, { status: 'CANCELLED' })
    const messages = await queued()
    expect(await place(messages)).toEqual([0])
    expect((await getCall(lead.callId))?.cancel_asked_time).toBeNull()
    agentAnswers = () => ACCEPT
    setClock(NOON + 10 * SECOND)
    expect(await place(messages)).toEqual([])
    expect(cancels()).toHaveLength(2)
    const other = await ringing()
    agentAnswers = () => ({ status: 503 })
    await patch(other.id, { status: 'CANCELLED' })
    setClock(NOON + 90 * SECOND)
    expect(await place(await queued())).toEqual([])
    expect(cancels()).toHaveLength(2)
  })

  it('a ringing call gets no second cancel request when the agent answers 404', async () => {
    const lead = await ringing()
    agentAnswers = () => ({ status: 404 })
    await patch(lead.id, { status: 'CANCELLED' })
    expect(await place(await queued())).toEqual([])
    expect((await getCall(lead.callId))?.cancel_asked_time).toBeNull()
  })

  it('a call is not cancelled by a stop after the person has answered', async () => {
    const lead = await ringing()
    await tell(lead.callId, 'call.answered')
    await patch(lead.id, { status: 'CANCELLED' })
    await stopPhone(lead.phone)
    await place(await queued())
    expect(cancels()).toEqual([])
  })

  it('a ringing call is not cancelled when its cancelled lead is open again', async () => {
    const lead = await ringing()
    await patch(lead.id, { status: 'CANCELLED' })
    await patch(lead.id, { status: 'OPEN' })
    await place(await queued())
    expect(cancels()).toEqual([])
  })

  it('a ringing call is not cancelled by other updates, a stop of texts or its own end', async () => {
    const lead = await ringing()
    await patch(lead.id, { lead_source: 'x' })
    await patch(lead.id, { sms_dnc: true })
    await tell(lead.callId, 'call.completed', { outcome: 'do_not_call' })
    await place(await queued())
    expect(cancels()).toEqual([])
  })
})

describe('a call requested from the agent', () => {
  it.each<[string, (lead: { id: number; phone: string }) => Promise<unknown>]>([
    ['a request not to be called', ({ phone }) => stopPhone(phone)],
    ['a cancelled lead', ({ id }) => patch(id, { status: 'CANCELLED' })],
    ['a pause of all leads', () => pauseLines(OWNER)],
    ['a pause of the existing leads', () => pauseLinesUpTo(OWNER, FAR)],
  ])('a call stopped by %s while it is requested is cancelled as soon as the agent accepts it', async (_, stop) => {
    const lead = await dueLead()
    agentAnswers = async ({ path }) => {
      if (path !== '/cancel') await stop(lead)
      return ACCEPT
    }
    expect(await place([lead.message])).toEqual([])
    expect(dials()).toEqual([lead.callId])
    expect(cancels()).toMatchObject([{ call_id: lead.callId }])
    // The message of who stopped it finds nothing left to do.
    await place(await queued())
    expect(cancels()).toHaveLength(1)
  })

  it.each([
    ['a pause that begins while a call of line group 0 is requested cancels it', 0, 1],
    ['a pause that begins while a call of line group 2 is requested cancels it', 2, 1],
    ['a pause that begins and ends while a call of line group 0 is requested does not cancel it', 0, 0],
    ['a pause that begins and ends while a call of line group 2 is requested does not cancel it', 2, 0],
  ])('%s', async (_, group, count) => {
    const lead = await dueLead()
    agentAnswers = async ({ path }) => {
      if (path !== '/cancel') await pauseLines(OWNER)
      if (count === 0) await unpause()
      return ACCEPT
    }
    expect(await place([{ ...(lead.message as object), line_group: group }])).toEqual([])
    expect((await getCall(lead.callId))?.line_group).toBe(group || null)
    expect(dials()).toEqual([lead.callId])
    expect(cancels()).toHaveLength(count)
  })

  it.each<[string, (lead: { id: number; phone: string }) => Promise<unknown>]>([
    ['a request not to be called', ({ phone }) => stopPhone(phone)],
    ['a pause of the existing leads', () => pauseLinesUpTo(OWNER, FAR)],
  ])('a call that the agent has not confirmed is not retried because of %s, and is cancelled in case it rings', async (_, stop) => {
    agentAnswers = () => ({ status: 500 })
    const lead = await dueLead()
    expect(await place([lead.message])).toEqual([0])
    await stop(lead)
    await queued()
    agentAnswers = () => ACCEPT
    setClock(NOON + 11 * SECOND)
    expect(await place([lead.message])).toEqual([])
    expect(dials()).toEqual([lead.callId])
    expect(await world().queues.delayed('CALL_QUEUE_URL')).toBe(1)
    await place([{ type: 'cancel', call_id: lead.callId }])
    expect(cancels()).toMatchObject([{ call_id: lead.callId }])
  })

  it('a call that is stopped after a crash before its request is never placed, and is cancelled in case it was', async () => {
    const lead = await dueLead()
    await dial((await getLead(lead.id))!)
    await stopPhone(lead.phone)
    const messages = await queued()
    expect(await place(messages)).toEqual([0])
    setClock(NOON + 40 * SECOND)
    expect(await place(messages)).toEqual([])
    await place(await queued())
    expect(dials()).toEqual([])
    expect(cancels()).toEqual([{ call_id: lead.callId, reason: 'The person must not be called.' }])
  })

  it('a call is not retried when an update of its lead moves it outside the calling hours', async () => {
    agentAnswers = () => ({ status: 500 })
    const lead = await dueLead()
    expect(await place([lead.message])).toEqual([0])
    await patch(lead.id, { timezone: 'Asia/Tokyo' })
    setClock(NOON + 11 * SECOND)
    expect(await place([lead.message])).toEqual([])
    expect(dials()).toEqual([lead.callId])
    expect((await getCall(lead.callId))?.failure).toBe('The calling hours ended before the provider had confirmed the call.')
  })

  it('a call is not retried after its calling window has closed', async () => {
    agentAnswers = () => ({ status: 500 })
    const lead = await dueLead()
    // A minute before nine in the evening is the last moment of the window.
    setClock(Date.parse('2026-11-21T01:58:50Z'))
    expect(await place([lead.message])).toEqual([0])
    expect((await getCall(lead.callId))?.not_after).toBeLessThan(Date.parse('2026-11-21T01:59:00Z'))
    setClock(Date.parse('2026-11-21T01:59:00.500Z'))
    expect(await place([lead.message])).toEqual([])
    expect(dials()).toEqual([lead.callId])
  })
})

describe('a call that is stopped during the conversation', () => {
  it.each<[string, (lead: { id: number; phone: string }) => Promise<unknown>, Record<string, unknown>]>([
    ['a cancelled lead', ({ id }) => patch(id, { status: 'CANCELLED' }), { status: 'CANCELLED' }],
    ['a request not to be called', ({ phone }) => stopPhone(phone), { call_dnc: true }],
  ])('a call stopped by %s during the conversation plans no callback when the person asks for one', async (_, stop, expected) => {
    const lead = await ringing()
    await tell(lead.callId, 'call.answered')
    await stop(lead)
    const callback_time = new Date(NOON + 3_600_000).toISOString()
    await tell(lead.callId, 'call.completed', { outcome: 'callback_requested', callback_time })
    expect(await getLead(lead.id)).toMatchObject({ ...expected, next_call_time: null, promised_time: null, due_list: null })
    expect((await getCall(lead.callId))?.reported_outcome).toBe('callback_requested')
  })
})
