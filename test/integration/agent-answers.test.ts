import { describe, expect, it } from '@jest/globals'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { created, patched } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'

const { inCall, told } = callWorld()

describe('the answer to a report', () => {
  it('the answer to a report tells the agent the stops, the lead status and whether to cancel the call', async () => {
    const { call } = await inCall()
    expect(await told(call, 'call.answered')).toEqual({
      status: 'accepted',
      call_dnc: false,
      sms_dnc: false,
      lead_status: 'OPEN',
      cancel: false,
    })
  })

  it('the answer to a report names a stop of texts without cancelling the call', async () => {
    const { lead, call } = await inCall()
    await patched(lead, { sms_dnc: true })
    expect(await told(call, 'call.answered')).toMatchObject({ sms_dnc: true, call_dnc: false, cancel: false })
  })

  it('the answer to a report names the stop of texts that this report asks for', async () => {
    const { call } = await inCall()
    expect(await told(call, 'dnc.requested', { channel: 'sms' })).toMatchObject({ sms_dnc: true, cancel: false })
  })

  it('the answer to a report tells the agent to end the running call when the person asks for no more calls', async () => {
    const { call } = await inCall()
    expect(await told(call, 'dnc.requested', { channel: 'call' })).toMatchObject({ call_dnc: true, cancel: true })
    expect(await told(call, 'call.ended')).toMatchObject({ cancel: false })
  })

  it('the answer to a report cancels the call after a stop of calls on another lead of the same phone', async () => {
    const { lead, call, phone } = await inCall({ email: 'one@example.com' })
    const other = await created({ phone_number: phone, email: 'two@example.com' })
    await patched(other.id, { call_dnc: true })
    expect(await told(call, 'call.answered')).toMatchObject({ call_dnc: true, cancel: true, lead_status: (await getLead(lead))!.status })
  })

  it.each(['CANCELLED', 'LOST', 'SCHEDULE_COMPLETED'])(
    'the answer to a report cancels the running call when the lead is set to %s',
    async (status) => {
      const { lead, call } = await inCall()
      await patched(lead, { status })
      expect(await told(call, 'call.answered')).toMatchObject({ lead_status: status, cancel: true })
      expect(await told(call, 'call.ended')).toMatchObject({ cancel: false })
    },
  )

  it.each(['transferred_warm', 'not_interested', 'do_not_call', 'no_answer'])(
    'the answer to a report does not cancel a call because of its own outcome %s',
    async (outcome) => {
      const { call } = await inCall()
      expect(await told(call, 'call.completed', { outcome })).toMatchObject({ cancel: false })
      expect(await told(call, 'call.data_collected', { collected: {} })).toMatchObject({ cancel: false })
    },
  )
})

describe('a completed call', () => {
  it('a completed call keeps its outcome and notes at most five contradicting outcomes, each once', async () => {
    const { lead, call } = await inCall()
    await told(call, 'call.completed', { outcome: 'not_interested' })
    const before = await getLead(lead)
    const others = ['transferred_warm', 'transferred_warm', 'not_interested', 'no_answer', 'busy', 'voicemail', 'assigned', 'hung_up']
    setClock(NOON + 60_000)
    for (const [place, outcome] of others.entries()) await told(call, 'call.completed', { outcome }, 10 + place)
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

  it('a call notes one contradiction when completions with two outcomes arrive at the same time', async () => {
    const { call } = await inCall()
    const outcomes = ['completed', 'hung_up', 'completed', 'hung_up', 'completed', 'hung_up']
    await Promise.all(outcomes.map((outcome) => told(call, 'call.completed', { outcome })))
    const { contradictions, reported_outcome } = (await getCall(call))!
    expect(contradictions?.map(({ outcome }) => outcome)).toEqual([reported_outcome === 'completed' ? 'hung_up' : 'completed'])
  })
})
