import { describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { raiseDnc } from '#shared/stops/flag-store.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { captureLog } from '#test/support/captured-log.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { created, leadNow, newPhone, patch, patched, phoneOf, times, writeUnits } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { agentReport, consumeAll, OWNER, request } from '#test/support/world.ts'

const log = captureLog()

const { world, queued, place } = callWorld()

const tell = async (callId: string, type: string, data: unknown = {}) => {
  expect(await request(report, agentReport(world().agentSecret, callId, type, data))).toMatchObject({ status: 200 })
}

/** A lead in a call. */
const called = async (body: Record<string, unknown> = {}) => {
  const lead = await created(body)
  expect(await place(await queued())).toEqual([])
  expect(world().agent.requests).toHaveLength(1)
  return lead
}

describe('“do not contact”', () => {
  it('“do not contact” in an update applies to the phone and its leads, and cancels their calls', async () => {
    const lead = await created({ email: 'a@dnc.example' })
    const other = await created({ email: 'b@dnc.example', phone_number: lead.phone_number })
    const messages = await queued()
    expect(await patched(lead.id, { call_dnc: true })).toMatchObject({
      call_dnc: true,
      sms_dnc: false,
      status: 'OPEN',
      next_call_time: null,
    })
    expect(await leadNow(other.id)).toMatchObject({ call_dnc: true, sms_dnc: false, next_call_time: null })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ call_dnc: true, sms_dnc: false })
    await consumeAll(placeCall, messages)
    expect(world().agent.requests).toEqual([])
    expect(await writeUnits(() => patched(other.id, { call_dnc: true }))).toBeLessThanOrEqual(8)
  })

  it('“do not contact” for texts leaves calls alone', async () => {
    const lead = await created()
    expect(await patched(lead.id, { sms_dnc: true })).toMatchObject({ sms_dnc: true, call_dnc: false, next_call_time: lead.next_call_time })
  })

  it('“do not contact” cut short by a crash is finished by the next update', async () => {
    const lead = await created({ email: 'a@cut.example' })
    const other = await created({ email: 'b@cut.example', phone_number: lead.phone_number })
    await raiseDnc(await phonePk('1', lead.phone_number), ['call'], { accepted: '', owner: 1, origin: { means: 'api' } })
    await patched(lead.id, { call_dnc: true })
    expect(await leadNow(other.id)).toMatchObject({ call_dnc: true })
  })

  it('“do not contact” lifted by an update ends on that lead and the phone only, and is logged', async () => {
    const lead = await created({ email: 'a@lifted.example' })
    const other = await created({ email: 'b@lifted.example', phone_number: lead.phone_number })
    await patched(lead.id, { call_dnc: true })
    log.length = 0
    // Later than it was planned first, or the first message would dial it as well.
    passTime(1000)
    expect(await patched(lead.id, { call_dnc: false })).toMatchObject({ call_dnc: false, next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ call_dnc: false })
    expect(await leadNow(other.id)).toMatchObject({ call_dnc: true, next_call_time: null })
    const said = log.filter((line) => line.includes('A lead may be contacted again')).map((line) => JSON.parse(line))
    expect(said).toEqual([expect.objectContaining({ lead: lead.id, user: OWNER, channel: 'call', by: 'flag' })])
    expect(await created({ phone_number: lead.phone_number })).toMatchObject({ call_dnc: false })
    expect(await place(await queued())).toEqual([])
    expect(world().agent.requests.length).toBeGreaterThan(0)
  })

  it('“do not contact” stays with the number when a lead changes its number', async () => {
    const stopped = await created()
    const old = stopped.phone_number
    await patched(stopped.id, { call_dnc: true })
    expect(await patched(stopped.id, { phone_number: newPhone() })).toMatchObject({
      call_dnc: false,
      next_call_time_reason: 'NEXT_AVAILABLE_SLOT',
    })
    expect(await phoneOf(old)).toMatchObject({ call_dnc: true })
    const clean = await created({ email: 'clean@example.com' })
    expect(await patched(clean.id, { phone_number: old })).toMatchObject({ call_dnc: true, sms_dnc: false, next_call_time: null })
    expect((await phoneOf(clean.phone_number)).call_dnc).toBe(false)
  })

  it('“do not contact” raised together with a new number applies to both numbers', async () => {
    const lead = await created()
    const phone_number = newPhone()
    expect(await patched(lead.id, { phone_number, call_dnc: true })).toMatchObject({ phone_number, call_dnc: true, next_call_time: null })
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true })
    expect((await phoneOf(lead.phone_number)).call_dnc).toBe(true)
  })

  it('“do not contact” for a number reaches leads that move to it at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const lead = await created({ email: 'a@moment.example' })
      const coming = await times(5, (index) => created({ email: `${index}@moment.example` }))
      const { phone_number } = lead
      await Promise.all([patched(lead.id, { call_dnc: true }), ...coming.map(({ id }) => patched(id, { phone_number }))])
      for (const { id } of coming) expect(await leadNow(id)).toMatchObject({ phone_number, call_dnc: true, next_call_time: null })
    }
  })

  it('a refused update does not raise “do not contact”', async () => {
    const lead = await created({ email: 'x@refused.example' })
    const other = await created({ email: 'y@refused.example', phone_number: lead.phone_number })
    expect((await patch(other.id, { email: 'x@refused.example', call_dnc: true })).status).toBe(400)
    expect((await patch(other.id, { lead_type: 9, call_dnc: true })).status).toBe(400)
    expect((await phoneOf(lead.phone_number)).call_dnc).toBe(false)
  })
})

describe('a status set by an update', () => {
  it('an update of the status cancels a call whose message is already queued', async () => {
    const lead = await created()
    const messages = await queued()
    expect(await patched(lead.id, { status: 'CANCELLED' })).toMatchObject({
      status_reason: 'MANUAL',
      next_call_time: null,
      next_call_time_reason: null,
    })
    await consumeAll(placeCall, messages)
    expect(world().agent.requests).toEqual([])
  })

  it('a status set by an update survives the outcome of a running call, which the call still records', async () => {
    const lead = await called()
    await patched(lead.id, { status: 'CANCELLED' })
    await tell(`${lead.id}-1`, 'call.completed', { outcome: 'callback_requested', callback_time: '2026-11-20T20:00:00Z' })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'CANCELLED', status_reason: 'MANUAL', next_call_time: null })
    expect(await getCall(`${lead.id}-1`)).toMatchObject({ outcome: 'COMPLETED', settled_time: expect.any(Number) })
    expect((await getLead(lead.id))?.last_chat).toBe(`${lead.id}-1`)
  })

  it('a status equal to the current one lets the outcome of a call replace it', async () => {
    const lead = await called()
    await patched(lead.id, { status: 'OPEN', metadata: { a: 1 } })
    await tell(`${lead.id}-1`, 'call.completed', { outcome: 'not_interested' })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'LOST', status_reason: 'CHAT', metadata: { a: 1 } })
  })

  it('an update of the status reopens a closed lead and sends its next call at once', async () => {
    const lead = await called()
    await tell(`${lead.id}-1`, 'call.completed', { outcome: 'transferred_warm' })
    await queued()
    setClock(NOON + 3_600_000)
    const open = await patched(lead.id, { status: 'OPEN' })
    expect(open).toMatchObject({
      status: 'OPEN',
      status_detail: null,
      status_reason: 'MANUAL',
      next_call_time_reason: 'NEXT_AVAILABLE_SLOT',
    })
    expect(open.next_call_time).toMatch(/^2026-11-20T17:00:/)
    expect(await queued()).toEqual([{ type: 'dial', lead_id: lead.id, attempt: 2, due_at: Date.parse(open.next_call_time), owner: OWNER }])
  })
})

describe('a phone number changed during a call', () => {
  it('a phone number changed during a call leaves the call and its effects with the old number', async () => {
    const lead = await called()
    const phone_number = newPhone()
    await patched(lead.id, { phone_number })
    expect((await phoneOf(lead.phone_number)).current_call).toBe(`${lead.id}-1`)
    await tell(`${lead.id}-1`, 'dnc.requested', { channel: 'call' })
    expect(await leadNow(lead.id)).toMatchObject({ phone_number, call_dnc: false })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ call_dnc: true })
    await tell(`${lead.id}-1`, 'call.completed', { outcome: 'no_answer' })
    expect(await phoneOf(lead.phone_number)).toMatchObject({ current_call: null, attempts: [expect.any(Number)] })
    expect(await phoneOf(phone_number)).toMatchObject({ attempts: [] })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
  })
})
