import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events/index.ts'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as update } from '#functions/leads/update/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { getCall } from '#shared/storage/calls.ts'
import { getLead } from '#shared/storage/leads.ts'
import { NOON } from '#test/support/samples.ts'
import { agentReport, consumeAll, request, setClock, startWorld } from '#test/support/world.ts'

let world: Awaited<ReturnType<typeof startWorld>>
let next = 3000

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())
beforeEach(async () => {
  setClock(NOON)
  await world.queues.take('CALL_QUEUE_URL')
})

/** A lead in a call. */
const inCall = async (fields: Record<string, unknown> = {}): Promise<{ lead: number; call: string; phone: string }> => {
  const phone = `+1212555${next++}`
  const body = { phone_number: phone, timezone: 'America/New_York', ...fields }
  const answer = await request(create, { method: 'POST', path: '/api/leads/', body })
  await consumeAll(
    placeCall,
    (await world.queues.take('CALL_QUEUE_URL')).map((text) => JSON.parse(text)),
  )
  return { lead: answer.body.id, call: `${answer.body.id}-1`, phone }
}

const tell = async (call: string, type: string, data: unknown = {}, seconds = 0) => {
  const answer = await request(report, agentReport(world.agentSecret, call, type, data, new Date(NOON + seconds * 1000)))
  expect(answer.status).toBe(200)
  return answer.body
}

const updateLead = (id: number, body: unknown) =>
  request(update, { method: 'PATCH', path: `/api/leads/${id}/`, parameters: { id: `${id}` }, body })

describe('the answer to a report', () => {
  it('tells how the person stands', async () => {
    const { call } = await inCall()
    expect(await tell(call, 'call.answered')).toEqual({
      status: 'accepted',
      call_dnc: false,
      sms_dnc: false,
      lead_status: 'OPEN',
      cancel: false,
    })
  })

  it('tells of a stop of texts, which ends no call', async () => {
    const { lead, call } = await inCall()
    await updateLead(lead, { sms_dnc: true })
    expect(await tell(call, 'call.answered')).toMatchObject({ sms_dnc: true, call_dnc: false, cancel: false })
  })

  it('and of one that the person asks for in this very call', async () => {
    const { call } = await inCall()
    expect(await tell(call, 'dnc.requested', { channel: 'sms' })).toMatchObject({ sms_dnc: true, cancel: false })
  })

  it('has the call ended when the person must not be called any more, also by another lead', async () => {
    const { lead, call, phone } = await inCall({ email: 'one@example.com' })
    const body = { phone_number: phone, email: 'two@example.com', timezone: 'America/New_York' }
    const other = await request(create, { method: 'POST', path: '/api/leads/', body })
    await updateLead(other.body.id, { call_dnc: true })
    expect(await tell(call, 'call.answered')).toMatchObject({ call_dnc: true, cancel: true, lead_status: (await getLead(lead))!.status })
  })

  it.each(['CANCELLED', 'LOST', 'SCHEDULE_COMPLETED'])('has it ended when the lead is set to %s', async (status) => {
    const { lead, call } = await inCall()
    await updateLead(lead, { status })
    expect(await tell(call, 'call.answered')).toMatchObject({ lead_status: status, cancel: true })
    expect(await tell(call, 'call.ended')).toMatchObject({ cancel: false })
  })

  it.each(['transferred_warm', 'not_interested', 'do_not_call', 'no_answer'])('ends no call by its own outcome %s', async (outcome) => {
    const { call } = await inCall()
    expect(await tell(call, 'call.completed', { outcome })).toMatchObject({ cancel: false })
    expect(await tell(call, 'call.data_collected', { collected: {} })).toMatchObject({ cancel: false })
  })
})

describe('a completion', () => {
  it('stands against later ones: they are noted, each outcome once, five at most', async () => {
    const { lead, call } = await inCall()
    await tell(call, 'call.completed', { outcome: 'not_interested' })
    const before = await getLead(lead)
    const others = ['transferred_warm', 'transferred_warm', 'not_interested', 'no_answer', 'busy', 'voicemail', 'assigned', 'hung_up']
    setClock(NOON + 60_000)
    for (const [place, outcome] of others.entries()) await tell(call, 'call.completed', { outcome }, 10 + place)
    const { contradictions, outcome } = (await getCall(call))!
    expect(outcome).toBe('COMPLETED_STOP_CALLING')
    expect(contradictions).toEqual([
      { time: NOON + 10_000, outcome: 'transferred_warm' },
      { time: NOON + 13_000, outcome: 'no_answer' },
      { time: NOON + 14_000, outcome: 'busy' },
      { time: NOON + 15_000, outcome: 'voicemail' },
      { time: NOON + 16_000, outcome: 'assigned' },
    ])
    expect(await getLead(lead)).toEqual(before)
  })

  it('that comes several times at once with two outcomes is noted once', async () => {
    const { call } = await inCall()
    const outcomes = ['completed', 'hung_up', 'completed', 'hung_up', 'completed', 'hung_up']
    await Promise.all(outcomes.map((outcome) => tell(call, 'call.completed', { outcome })))
    const { contradictions, reported_outcome } = (await getCall(call))!
    expect(contradictions?.map(({ outcome }) => outcome)).toEqual([reported_outcome === 'completed' ? 'hung_up' : 'completed'])
  })
})
