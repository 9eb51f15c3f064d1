import { marshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { handler as report } from '#functions/agents/call-events/index.ts'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as update } from '#functions/leads/update/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { eventsOf } from '#functions/workers/publish-changes/events.ts'
import { representCall } from '#shared/domain/calling/represent-call.ts'
import { buildPayload } from '#shared/domain/events/payload.ts'
import { getCall } from '#shared/storage/calls.ts'
import { leadKey, SMS_PREFIX } from '#shared/storage/keys.ts'
import { getLead } from '#shared/storage/leads.ts'
import { query } from '#shared/storage/table.ts'
import { agentRequest } from '#test/support/agent-request.ts'
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

const shown = async (call: string) => representCall((await getCall(call))!)

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

describe('a transfer leg', () => {
  const initiated = { mode: 'warm', destination: '+12125550199' }

  it('goes from its beginning to its end', async () => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    await tell(call, 'call.answered')
    expect(await shown(call)).toMatchObject({ call_status: 'IN_PROGRESS', transfer: null })
    await tell(call, 'call.transfer_initiated', initiated, 1)
    expect(await shown(call)).toMatchObject({
      call_status: 'TRANSFERRING',
      transfer: {
        ...initiated,
        status: 'initiated',
        initiated_time: '2026-11-20T16:00:01.000000+00:00',
        connected_time: null,
        ended_time: null,
      },
    })
    await tell(call, 'call.transfer_connected', {}, 2)
    expect(await shown(call)).toMatchObject({ transfer: { status: 'connected', connected_time: '2026-11-20T16:00:02.000000+00:00' } })
    await tell(call, 'call.transfer_ended', { reason: 'hung up' }, 3)
    expect(await shown(call)).toMatchObject({ transfer: { status: 'ended', ended_time: '2026-11-20T16:00:03.000000+00:00' } })
    expect(await getCall(call)).toMatchObject({ transfer_end_reason: 'hung up' })
  })

  it('that found nobody gives the person back to the agent', async () => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    await tell(call, 'call.answered')
    await tell(call, 'call.transfer_initiated', initiated, 1)
    await tell(call, 'call.transfer_ended', null, 2)
    expect(await shown(call)).toMatchObject({ call_status: 'IN_PROGRESS', transfer: { status: 'unavailable' } })
  })

  it.each([
    ['call.ended', {}, 'unavailable'],
    ['call.completed', { outcome: 'transfer_unavailable' }, 'unavailable'],
    ['call.completed', { outcome: 'transferred_warm' }, 'ended'],
  ])('that nobody ended is over with %s %j: %s', async (type, data, status) => {
    const { call } = await inCall()
    setClock(NOON + 60_000)
    await tell(call, 'call.transfer_initiated', initiated, 1)
    await tell(call, type, data, 5)
    expect(await shown(call)).toMatchObject({ transfer: { status, ended_time: '2026-11-20T16:00:05.000000+00:00' } })
  })

  it('without a check of availability is done when it ends', async () => {
    const { call } = await inCall()
    await tell(call, 'call.transfer_initiated', { ...initiated, mode: 'blind' })
    await tell(call, 'call.ended')
    expect(await shown(call)).toMatchObject({ transfer: { status: 'ended' } })
  })

  it('is the same in whatever order it is told, and however often', async () => {
    const told = [
      ['call.answered', {}, 0],
      ['call.transfer_initiated', initiated, 1],
      ['call.transfer_connected', {}, 2],
      ['call.transfer_ended', { reason: 'done' }, 3],
      ['call.ended', {}, 4],
      ['call.completed', { outcome: 'transferred_warm' }, 4],
    ] as const
    const calls = []
    for (const order of [told, told.toReversed(), [...told, ...told.toReversed()]]) {
      const { lead, call } = await inCall()
      setClock(NOON + 60_000)
      for (const [type, data, seconds] of order) await tell(call, type, data, 10 + seconds)
      setClock(NOON)
      calls.push({ ...(await shown(call)), call_id: '', lead: 0, started_time: '' })
      expect(await getLead(lead)).toMatchObject({ status: 'CLOSED' })
    }
    expect(calls[1]).toEqual(calls[0])
    expect(calls[2]).toEqual(calls[0])
  })
})

describe('a text message', () => {
  const Item = v.record(v.string(), v.unknown())
  const messagesOf = async (lead: number) => {
    const { items } = await query(Item, {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': leadKey(lead).pk, ':prefix': SMS_PREFIX },
    })
    return items
  }

  const text = (call: string, body: Record<string, unknown>) =>
    request(
      report,
      agentRequest(world.agentSecret, '', { type: 'sms.completed', call_id: call, time: new Date(NOON), ...body }, { call_id: call }),
    )

  it('is kept and told once, with what it says', async () => {
    const { lead, call, phone } = await inCall()
    const data = { direction: 'inbound', body: 'Call me at noon.', status: 'received' }
    for (let times = 0; times < 3; times++) expect(await text(call, { event_id: 'e-1', data })).toMatchObject({ status: 200 })
    const items = await messagesOf(lead)
    expect(items).toHaveLength(1)
    const image = marshall(items[0])
    const record = (OldImage?: typeof image) => ({
      eventID: 'r1',
      dynamodb: { SequenceNumber: '1', Keys: { sk: { S: `${items[0]!['sk']}` } }, NewImage: image, ...(OldImage && { OldImage }) },
    })
    const [event, ...more] = eventsOf(record())
    expect(more).toEqual([])
    expect(event).toMatchObject({ trigger: 'SMS_COMPLETE', lead_id: lead, owner: 1, call_id: call, event_id: 'r1-SMS_COMPLETE' })
    const payload = buildPayload(event!, {
      lead: (await getLead(lead))!,
      call: await getCall(call).then((found) => found!),
      lastChat: null,
    })
    expect(payload).toMatchObject({
      id: lead,
      trigger: 'SMS_COMPLETE',
      call: { call_id: call },
      sms: { ...data, call_id: call, phone_number: phone, time: expect.stringMatching(/^2026-11-20T16:00:0/) },
    })
    expect(eventsOf(record(image))).toEqual([])
  })

  it('is another one by its event id, and without one by what it says', async () => {
    const { lead, call } = await inCall()
    const data = { direction: 'outbound', body: 'Hello' }
    for (const event_id of ['a', 'b', 'a', undefined, undefined]) await text(call, { event_id, data })
    await text(call, { data: { ...data, body: 'Hello again' } })
    expect(await messagesOf(lead)).toHaveLength(4)
  })

  it('is cut where it is too long, and kept as far as it can be read', async () => {
    const { lead, call } = await inCall()
    await text(call, { data: { direction: 'outbound', body: 'x'.repeat(5000) } })
    expect(`${(await messagesOf(lead))[0]!['body']}`).toHaveLength(1530)
    for (const data of [{}, null, { direction: 'sideways', body: '' }, { direction: 'inbound', body: 7 }]) {
      expect(await text(call, { data })).toMatchObject({ status: 200 })
    }
    const read = (await messagesOf(lead)).map(({ direction, body }) => [direction ?? null, `${body ?? null}`.length])
    expect(read).toHaveLength(5)
    expect(read).toEqual(
      expect.arrayContaining([
        ['outbound', 1530],
        [null, 4],
        [null, 0],
        ['inbound', 4],
      ]),
    )
  })
})
