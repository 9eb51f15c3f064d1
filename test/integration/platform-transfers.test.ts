import { describe, expect, it } from '@jest/globals'
import { readAgent } from '#shared/agents/agent-store.ts'
import { takeFromPlatform } from '#shared/agents/take-from-platform.ts'
import { translateCallback } from '#shared/agents/voice-agent.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { callStatus } from '#shared/calling/rules/call-status.ts'
import { AFTER_END } from '#shared/calling/rules/silence.ts'
import { applyTranslation } from '#shared/calling/take-report.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { getPhone } from '#shared/stops/phone-store.ts'
import { passTime } from '#test/support/clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import type { TelnyxEmulator } from '#test/support/platforms/telnyx-emulator.ts'
import { toolWorld } from '#test/support/platforms/tool-world.ts'

const world = toolWorld()
const { platform, agentKey, deliver, talking, outcome, place } = world
const telnyx = () => platform() as TelnyxEmulator

/** The person is connected to somebody else. */
const transferred = async () => {
  const one = await talking()
  telnyx().proceed(one.id, { answered: true, stays: 'talking', transfer: { to: '+12125550199', answered: true } })
  await deliver()
  return one
}

/** The platform sends an event to the address for callbacks. */
const send = async (event: object) => {
  const agent = (await readAgent(agentKey()))!
  const text = JSON.stringify(event)
  await takeFromPlatform(agent, translateCallback(agent, { url: '', rawBody: text, headers: {}, at: now() })!, { text })
}

describe('a transfer that the end of the call does not mention', () => {
  world.on('telnyx')

  it('a call with a transfer is completed and frees its phone only when the transferred conversation ends', async () => {
    const one = await transferred()
    const during = (await getCall(one.call))!
    expect(during).toMatchObject({ completed_time: null, ended_time: null })
    expect(callStatus(during)).toBe('TRANSFERRING')
    expect(await getPhone(during.phone_key)).toMatchObject({ current_call: one.call })
    telnyx().proceed(one.id, { answered: true, source: 'callee', insights: [{ outcome: 'completed', summary: 'Wants a new roof.' }] })
    await deliver()
    expect(await getCall(one.call)).toMatchObject({
      reported_outcome: 'transferred_blind',
      summary: 'Wants a new roof.',
      contradictions: null,
    })
    expect(await getPhone(during.phone_key)).toMatchObject({ current_call: null })
  })

  it('a transfer reported after the end of the call gives it the outcome of a transfer', async () => {
    const one = await talking()
    telnyx().proceed(one.id, { answered: true })
    await deliver()
    const ended = (await getCall(one.call))!
    expect(ended).toMatchObject({ completed_time: null, presumed_outcome: 'hung_up' })
    const connected = { type: 'call.transfer_connected', time: new Date(now()).toISOString() } as const
    await applyTranslation(ended, { callId: one.call, platformCallId: one.id, reports: [connected] }, '')
    passTime(AFTER_END)
    await place([{ type: 'watch', call_id: one.call }])
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'transferred_blind' })
  })

  const insights = async ({ call, id }: { readonly call: string; readonly id: string }, event_type: string, result: object) => {
    const { phone_number } = (await getCall(call))!
    const results = [{ insight_id: 'insight-1', result }]
    const more = event_type === 'call.analyzed' ? { conversation_insights: [{ conversation_insights: results }] } : { results }
    const payload = { call_control_id: id, client_state: Buffer.from(`${call} ${phone_number}`).toString('base64'), ...more }
    await send({ data: { record_type: 'event', event_type, occurred_at: new Date(now()).toISOString(), payload } })
  }

  it.each(['call.conversation_insights.generated', 'call.analyzed'])(
    'a call with a transfer keeps phone and line when %s comes before the hang-up, which completes it',
    async (event) => {
      const one = await transferred()
      await insights(one, event, { outcome: 'appointment_booked', summary: 'Wants a new roof.' })
      const during = (await getCall(one.call))!
      expect(callStatus(during)).toBe('TRANSFERRING')
      expect(during).toMatchObject({ completed_time: null, reported_outcome: null })
      expect(await getPhone(during.phone_key)).toMatchObject({ current_call: one.call })
      telnyx().proceed(one.id, { answered: true, source: 'callee' })
      await deliver()
      const call = await getCall(one.call)
      expect(call).toMatchObject({ reported_outcome: 'appointment_booked', summary: 'Wants a new roof.', contradictions: null })
      expect(call?.completed_time).toBe(call?.ended_time)
      expect(await getPhone(during.phone_key)).toMatchObject({ current_call: null })
    },
  )

  it('a stop in the analysis of a transferred call applies at once, and the call is completed at the hang-up', async () => {
    const one = await transferred()
    await insights(one, 'call.analyzed', { outcome: 'do_not_call' })
    expect(await leadNow(one.lead)).toMatchObject({ call_dnc: true })
    expect(await getCall(one.call)).toMatchObject({ completed_time: null })
    telnyx().proceed(one.id, { answered: true, source: 'callee' })
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'do_not_call' })
  })

  it('a transfer gives the call its outcome when its end is polled', async () => {
    const one = await transferred()
    telnyx().callbackFault = 'lost'
    telnyx().proceed(one.id, { answered: true, insights: [{ outcome: 'completed' }] })
    passTime(11 * MINUTE)
    await place([{ type: 'watch', call_id: one.call }])
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'transferred_blind' })
    expect(await outcome(one)).toMatchObject({ outcome: 'COMPLETED_CLOSED_LIVE_TRANSFER' })
  })

  it('a stop in the analysis outweighs a transfer', async () => {
    const one = await transferred()
    telnyx().callbackFault = 'lost'
    telnyx().proceed(one.id, { answered: true, insights: [{ outcome: 'do_not_call' }] })
    passTime(11 * MINUTE)
    await place([{ type: 'watch', call_id: one.call }])
    expect(await getCall(one.call)).toMatchObject({ reported_outcome: 'do_not_call' })
  })
})

describe('a transferred call whose analysis follows its end', () => {
  world.on('retell')

  it.each([
    ['appointment_booked', 'appointment_booked'],
    ['completed', 'transferred_warm'],
  ])('a transferred call keeps its summary, and a later analysis of %s completes it as %s', async (analysed, reported_outcome) => {
    const { call: call_id, id } = await talking()
    const times = { start_timestamp: now() - MINUTE, end_timestamp: now(), duration_ms: MINUTE }
    const event = (event: string, call: object, more = {}) =>
      send({ event, call: { call_id: id, metadata: { call_id }, ...times, ...call }, ...more })
    await event('transfer_started', { call_status: 'ongoing' }, { transfer_option: 'warm_transfer', transfer_destination: '+12125550199' })
    await event('transfer_bridged', { call_status: 'ongoing' })
    const ended = { call_status: 'ended', disconnection_reason: 'user_hangup' }
    await event('call_ended', ended)
    expect(await getCall(call_id)).toMatchObject({ completed_time: null, ended_time: expect.any(Number) })
    const call_analysis = { call_summary: 'Wants a new roof.', custom_analysis_data: { outcome: analysed } }
    await event('call_analyzed', { ...ended, call_analysis })
    expect(await getCall(call_id)).toMatchObject({ reported_outcome, summary: 'Wants a new roof.', contradictions: null })
  })
})
