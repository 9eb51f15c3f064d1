import { describe, expect, it } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { now } from '#shared/platform/clock.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, retrieveAs } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'
import { watchSent } from '#test/support/sent-messages.ts'
import { agentReport, OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const { world, queued, place, told, keysAsked } = callWorld()
const sent = watchSent()

describe('a call', () => {
  it('a call is requested from the agent once, and its outcome closes the lead', async () => {
    const lead = await created()
    expect(lead).toMatchObject({ status: 'OPEN', next_call_time_reason: 'FIRST_CALL' })
    const messages = await queued()
    expect(messages).toEqual([{ type: 'dial', lead_id: lead.id, attempt: 1, due_at: Date.parse(lead.next_call_time), owner: OWNER }])
    expect(await place(messages)).toEqual([])
    const callId = `${lead.id}-1`
    expect(keysAsked()).toEqual([callId])
    const asked = JSON.parse(world().agent.requests[0]!.body)
    expect(asked).toMatchObject({ call_id: callId, lead: { id: lead.id, phone_number: lead.phone_number }, script: '' })
    expect(asked.callback_url).toBe(`http://127.0.0.1:1/api/agents/calls/${callId}/events/`)
    expect(Date.parse(asked.not_after) - Date.parse(asked.requested_time)).toBeLessThanOrEqual(30_000)
    expect(await leadNow(lead.id)).toMatchObject({ status: 'OPEN', next_call_time: null })
    await told(callId, 'call.answered')
    await told(callId, 'call.data_collected', { collected: { homeowner: true } })
    await told(callId, 'call.completed', { outcome: 'transferred_warm', summary: 'Glad to talk.', is_contact: true })
    expect(await leadNow(lead.id)).toMatchObject({
      status: 'CLOSED',
      status_detail: 'warm_transfer',
      status_reason: 'CHAT',
      metadata: { homeowner: true, timezone: 'America/New_York' },
    })
  })

  it('a call is requested once despite duplicate, outdated and early messages', async () => {
    const lead = await created()
    const [message] = await queued()
    await Promise.all([place([message]), place([message]), place([message])])
    await place([message, { ...message, due_at: message.due_at - 1 }, { ...message, attempt: 2 }, { ...message, lead_id: 999_999 }])
    expect(keysAsked()).toEqual([`${lead.id}-1`])
  })

  it('a call keeps its first outcome when reports are repeated or out of order', async () => {
    const lead = await created()
    await place(await queued())
    const callId = `${lead.id}-1`
    for (const type of ['call.completed', 'call.ended', 'call.answered', 'call.answered', 'call.ended', 'call.completed']) {
      await told(callId, type, type === 'call.completed' ? { outcome: 'no_answer' } : {})
    }
    const once = await leadNow(lead.id)
    expect(once).toMatchObject({ status: 'OPEN', next_call_time_reason: 'NEXT_AVAILABLE_SLOT' })
    await told(callId, 'call.completed', { outcome: 'transferred_warm' })
    expect(await leadNow(lead.id)).toEqual(once)
  })

  it('a call is not changed by forged, stale or foreign reports', async () => {
    const lead = await created()
    await place(await queued())
    const before = await leadNow(lead.id)
    const genuine = agentReport(world().agentSecret, `${lead.id}-1`, 'call.completed', { outcome: 'not_interested' })
    const old = `${Math.floor(Date.now() / 1000) - 3600}`
    const forged = [
      { ...genuine, headers: {} },
      { ...genuine, headers: { ...genuine.headers, 'webhook-timestamp': old } },
      { ...genuine, body: JSON.stringify({ ...JSON.parse(`${genuine.body}`), data: { outcome: 'do_not_call' } }) },
      agentReport('whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldA==', `${lead.id}-1`, 'call.completed', { outcome: 'not_interested' }),
      { ...genuine, parameters: { call_id: '999999-1' } },
      { ...genuine, parameters: { call_id: 'nonsense' } },
    ]
    for (const attempt of forged) expect((await request(report, attempt)).status).toBe(401)
    expect(await leadNow(lead.id)).toEqual(before)
  })

  it('a call merges collected data by report time, and drops data over the size limit', async () => {
    const lead = await created()
    await place(await queued())
    const callId = `${lead.id}-1`
    setClock(NOON + 60_000)
    await told(callId, 'call.data_collected', { collected: { x: 2 } }, 30)
    await told(callId, 'call.data_collected', { collected: { x: 1, y: 1 } }, 20)
    await told(callId, 'call.data_collected', { collected: { x: 1 } }, 20)
    expect((await leadNow(lead.id)).metadata).toMatchObject({ x: 2, y: 1 })
    await told(callId, 'call.data_collected', { collected: { large: 'x'.repeat(110_000) } })
    await told(callId, 'call.completed', { outcome: 'not_interested', appointment: { at: 1e300 }, collected: { z: 1e300 } })
    const closed = await leadNow(lead.id)
    expect(closed).toMatchObject({ status: 'LOST', metadata: { x: 2, z: 1e300 } })
    expect(closed.metadata).not.toHaveProperty('large')
  })

  it('a call stores collected data under any name as plain data', async () => {
    const lead = await created()
    await place(await queued())
    const collected = JSON.parse('{"__proto__": "p", "constructor": "c", "toString": 1}')
    for (let times = 0; times < 2; times++) await told(`${lead.id}-1`, 'call.completed', { outcome: 'not_interested', collected })
    const { metadata } = await leadNow(lead.id)
    expect(Object.entries(metadata)).toEqual(expect.arrayContaining(Object.entries(collected)))
  })
})

describe('a stop', () => {
  it('a stop from the person applies to every lead with the phone, even one created later', async () => {
    const lead = await created({ email: 'one@example.com' })
    const other = await created({ email: 'two@example.com', phone_number: lead.phone_number })
    await place((await queued()).slice(0, 1))
    await told(`${lead.id}-1`, 'call.completed', { outcome: 'do_not_call' })
    expect(await leadNow(lead.id)).toMatchObject({ status: 'LOST', status_detail: 'has_call_dnc', call_dnc: true, sms_dnc: false })
    expect(await leadNow(other.id)).toMatchObject({ status: 'OPEN', call_dnc: true, next_call_time: null })
    const later = await created({ email: 'three@example.com', phone_number: lead.phone_number })
    expect(later).toMatchObject({ call_dnc: true, next_call_time: null })
  })

  it('a stop that arrives between message and dial prevents the call', async () => {
    const lead = await created()
    const messages = await queued()
    const { stopContacting } = await import('#shared/stops/stop.ts')
    const { phonePk } = await import('#shared/stops/phone-store.ts')
    await stopContacting(1, lead.phone_number, await phonePk('1', lead.phone_number), ['call'], { means: 'api' })
    await place(messages)
    expect(keysAsked()).toEqual([])
  })

  it('a stop for texts does not stop calls', async () => {
    const lead = await created()
    await place(await queued())
    await told(`${lead.id}-1`, 'dnc.requested', { channel: 'sms' })
    expect(await leadNow(lead.id)).toMatchObject({ sms_dnc: true, call_dnc: false })
  })
})

describe('a lead that may not be called yet', () => {
  it('a lead whose window is closed waits until eight o’clock', async () => {
    setClock(Date.parse('2026-11-20T08:00:00Z'))
    const lead = await created()
    expect(lead.next_call_time).toBe('2026-11-20T13:00:00.000000+00:00')
    expect(await queued()).toEqual([])
    const due_at = Date.parse(lead.next_call_time)
    setClock(due_at - 90_000)
    const [message, ...others] = (await sent(() => dispatchDue())).filter(({ body }) => body.lead_id === lead.id)
    expect([message?.body, others]).toEqual([{ type: 'dial', lead_id: lead.id, attempt: 1, due_at, owner: OWNER }, []])
    // Held back until its second comes, by the clock at that moment.
    expect(message!.delaySeconds).toBeLessThanOrEqual(90)
    expect(message!.delaySeconds).toBeGreaterThanOrEqual((due_at - now()) / 1000)
    await place([message!.body])
    expect(keysAsked()).toEqual([])
    setClock(due_at)
    await place([message!.body])
    expect(keysAsked()).toEqual([`${lead.id}-1`])
  })

  it('a call moves to the next morning when its message arrives after the window has closed', async () => {
    const lead = await created()
    const messages = await queued()
    setClock(Date.parse('2026-11-21T01:59:30Z'))
    await place(messages)
    expect(keysAsked()).toEqual([])
    expect(await leadNow(lead.id)).toMatchObject({
      next_call_time: '2026-11-21T13:00:00.000000+00:00',
      next_call_time_reason: 'OUTSIDE_WINDOW',
    })
  })

  it('a lead waits while its phone is in another call', async () => {
    const lead = await created({ email: 'a@example.com' })
    await created({ email: 'b@example.com', phone_number: lead.phone_number })
    await place(await queued())
    expect(keysAsked()).toHaveLength(1)
  })
})

describe('a lead that finds no free line', () => {
  it('a lead that finds no free line waits, and is called when another call ends', async () => {
    const leads = [await created({}, OTHER_KEY), await created({}, OTHER_KEY), await created({}, OTHER_KEY)]
    const messages = await queued()
    for (const message of messages) await place([message])
    expect(keysAsked()).toEqual([`${leads[0].id}-1`, `${leads[1].id}-1`])
    expect(await leadNow(leads[2].id, OTHER_KEY)).toMatchObject({ next_call_time_reason: 'CAPACITY' })
    await told(`${leads[0].id}-1`, 'call.completed', { outcome: 'not_interested' })
    const woken = await queued()
    expect(woken).toMatchObject([{ lead_id: leads[2].id }])
    await place(woken)
    expect(keysAsked()).toContain(`${leads[2].id}-1`)
    for (const lead of leads.slice(1)) await told(`${lead.id}-1`, 'call.completed', { outcome: 'not_interested' })
  })
})

describe('another user’s lead', () => {
  it('a request for another user’s lead is answered like one for a missing lead', async () => {
    const lead = await created()
    const foreign = await retrieveAs(OTHER_KEY, lead.id)
    expect(foreign.status).toBe(404)
    expect(foreign).toEqual(await retrieveAs(OTHER_KEY, 999_999))
  })
})
