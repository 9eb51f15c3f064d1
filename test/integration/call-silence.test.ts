import { describe, expect, it } from '@jest/globals'
import { handler as slots } from '#functions/agents/calendar-slots.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { agentCalls, callWorld } from '#test/support/agent-calls.ts'
import { agentRequest } from '#test/support/agent-request.ts'
import { setClock } from '#test/support/clock.ts'
import { leadNow, phoneOf } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { OWNER, request } from '#test/support/world.ts'

const HOUR = 60 * MINUTE
const NUMBER = '+12125550190'

const { world, inCall, told, tell, place, queued } = callWorld()
const { ring } = agentCalls(world)

/** Runs the sweep at an instant, and the messages about calls that it sends. */
const sweep = async (instant: number): Promise<void> => {
  setClock(instant)
  await dispatchDue()
  await place((await queued()).filter(({ type }) => type === 'watch'))
}

const SIGNS = [
  ['call.data_collected', { collected: { budget: 100 } }],
  ['call.transfer_initiated', { mode: 'warm', destination: '+12125550199' }],
  ['call.transfer_connected', {}],
  ['sms.completed', { direction: 'outbound', body: 'Hello' }],
  ['dnc.requested', { channel: 'sms' }],
] as const

describe('a call whose answer was never reported', () => {
  it.each(SIGNS)(
    'a call without a reported answer still holds its phone eleven minutes after the dial when %s was reported',
    async (type, data) => {
      const { call, phone } = await inCall()
      setClock(NOON + 9 * MINUTE)
      await told(call, type, data, 9 * 60)
      await sweep(NOON + 11 * MINUTE)
      expect(await getCall(call)).toMatchObject({ unknown_time: null })
      expect(await phoneOf(phone)).toMatchObject({ current_call: call })
    },
  )

  it('a call without a reported answer counts as in conversation when the agent has collected data', async () => {
    const { call, phone, lead } = await inCall()
    await told(call, 'call.data_collected', { collected: { budget: 100 } })
    await sweep(NOON + 30 * MINUTE)
    expect(await getCall(call)).toMatchObject({ unknown_time: null })
    await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER] }))
    const { body } = await ring(phone, NUMBER)
    expect(body).toMatchObject({ call_id: expect.stringMatching(/-2$/) })
    expect(await phoneOf(phone)).toMatchObject({ current_call: call })
    expect(await getLead(lead)).toMatchObject({ current_call: call })
  })

  it('a call without a reported answer counts as in conversation when the agent asks for free slots', async () => {
    const { call, phone } = await inCall()
    setClock(NOON + 9 * MINUTE)
    await request(
      slots,
      agentRequest(world().agentSecret, `/api/agents/calls/${call}/calendar/slots/`, { call_id: call }, { call_id: call }),
    )
    await sweep(NOON + 30 * MINUTE)
    expect(await phoneOf(phone)).toMatchObject({ current_call: call })
  })

  it('a call is given up ten minutes after its last report when no report shows a conversation', async () => {
    const { call, phone } = await inCall()
    setClock(NOON + 9 * MINUTE)
    await told(call, 'sms.completed', { direction: 'outbound', body: 'Hello' }, 9 * 60)
    await sweep(NOON + 11 * MINUTE)
    await sweep(NOON + 18 * MINUTE)
    expect(await phoneOf(phone)).toMatchObject({ current_call: call })
    await sweep(NOON + 20 * MINUTE)
    expect(await getCall(call)).toMatchObject({ unknown_time: expect.any(Number), settled_time: expect.any(Number) })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
  })
})

describe('a call in conversation', () => {
  it('a call in conversation is given up two hours after its last report, not after its answer', async () => {
    const { call, phone, lead } = await inCall()
    await told(call, 'call.answered')
    await sweep(NOON + MINUTE)
    setClock(NOON + 119 * MINUTE)
    await told(call, 'call.data_collected', { collected: { budget: 100 } }, 119 * 60)
    await sweep(NOON + 121 * MINUTE)
    expect(await phoneOf(phone)).toMatchObject({ current_call: call })
    await sweep(NOON + 3 * HOUR + 58 * MINUTE)
    expect(await phoneOf(phone)).toMatchObject({ current_call: call })
    await sweep(NOON + 4 * HOUR)
    expect(await getCall(call)).toMatchObject({ unknown_time: expect.any(Number) })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
    expect(await leadNow(lead)).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
  })

  it('a call in conversation costs at most one write unit per report', async () => {
    const { call } = await inCall()
    await told(call, 'call.answered')
    const costs: number[] = []
    for (let minute = 1; minute <= 5; minute++) {
      setClock(NOON + minute * MINUTE)
      costs.push((await unitsOf(() => tell(call, 'call.transfer_connected', {}, minute * 60))).write)
    }
    process.stdout.write(`a report: ${costs} write units\n`)
    expect(Math.max(...costs)).toBeLessThanOrEqual(1)
  })
})

describe('a report that comes while its call is given up', () => {
  it('a report that comes while its call is given up keeps the phone with the call until the call is settled, which is after some hours of silence at the latest', async () => {
    const { call, phone } = await inCall()
    setClock(NOON + 11 * MINUTE)
    // Both read the call before either writes.
    await Promise.all([told(call, 'call.data_collected', { collected: {} }, 11 * 60), place([{ type: 'watch', call_id: call }])])
    const { settled_time } = (await getCall(call))!
    expect(await phoneOf(phone)).toMatchObject({ current_call: settled_time === null ? call : null })
    setClock(NOON + 5 * HOUR)
    await place([{ type: 'watch', call_id: call }])
    expect(await getCall(call)).toMatchObject({ settled_time: expect.any(Number) })
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
  })
})
