import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { COLUMNS } from '#lib/ops/records/columns.ts'
import { callRow } from '#lib/ops/records/rows.ts'
import { readConfigurationState } from '#lib/ops/state.ts'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { passTime } from '#test/support/clock.ts'
import { leadNow, patch, phoneOf } from '#test/support/lead-requests.ts'
import { CALLER } from '#test/support/platforms/sample-dial.ts'
import { twilioCalls } from '#test/support/platforms/twilio-calls.ts'
import type { TwilioEmulator } from '#test/support/platforms/twilio-emulator.ts'

const { twilio: platform, hide, deliver, called, outcome, place, queued, agentKey } = twilioCalls()
const watch = (call: string) => place([{ type: 'watch', call_id: call }])
/** Longer than the first request to a platform may take. */
const LATER = 10 * SECOND

describe('a call on a voice platform', () => {
  it('a call on a voice platform is placed, reported with the platform’s signature, and closed by its outcome', async () => {
    const one = await called('0002')
    expect(await getCall(one.call)).toMatchObject({ provider_call_id: expect.stringMatching(/^CA/), on_platform: true })
    expect(new Set(await deliver())).toEqual(new Set([200]))
    expect(await outcome(one)).toEqual({ call_status: undefined, outcome: 'DIAL_NO_ANSWER', status: 'OPEN', status_detail: null })
    expect(platform().rung).toHaveLength(1)
  })

  it('a call on a voice platform ends the lead when the number does not exist', async () => {
    const one = await called('0005')
    await deliver()
    expect(await outcome(one)).toMatchObject({ outcome: 'DIAL_FAILED', status: 'BAD_NUMBER' })
  })

  it('a call keeps the platform, the assistant and the number that it was placed with, although the agent has others by now', async () => {
    const one = await called('0002')
    const agent = (await readAgent(agentKey()))!
    await saveAgent({ ...agent, platform: { ...agent.platform!, assistant: 'other', from: [{ number: '+15005550007', id: null }] } })
    const state = await readConfigurationState()
    const row = callRow((await getCall(one.call))!, state)
    const cells = Object.fromEntries(Object.keys(COLUMNS.calls).map((name, at) => [name, row.cells[at]]))
    const assistant = 'https://agent.example.com/twiml'
    expect(cells).toMatchObject({ platform: 'twilio', assistant, calling_number: CALLER.number, agent: agentKey() })
  })

  it('a repeated callback of a platform is accepted, and one with another signature is refused', async () => {
    platform().callbackFault = 'twice'
    const one = await called('0002')
    expect(new Set(await deliver())).toEqual(new Set([200]))
    expect(await outcome(one)).toMatchObject({ outcome: 'DIAL_NO_ANSWER' })
  })
})

describe('a lost answer of a platform', () => {
  it.each(['lost-after', 'lost-before'] as const)('a lost answer of a platform never leads to a second dial: %s', async (fault) => {
    platform().dialFault = fault
    platform().callbackFault = 'lost'
    const one = await called('0002')
    platform().dialFault = 'none'
    for (let tries = 0; tries < 5; tries++) {
      passTime(LATER)
      await watch(one.call)
    }
    expect(await getCall(one.call)).toMatchObject({ unknown_time: expect.any(Number), accepted_time: null })
    expect(platform().rung).toHaveLength(fault === 'lost-after' ? 1 : 0)
  })

  it('a call whose answer was lost is recovered by its first report', async () => {
    platform().dialFault = 'lost-after'
    const one = await called('0008')
    passTime(LATER)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({ unknown_time: null, provider_call_id: null })
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ provider_call_id: platform().rung[0]?.platformCallId })
    passTime(MINUTE)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({ unknown_time: null })
  })

  it("a call whose answer was lost is never mistaken for somebody else's call between the same numbers", async () => {
    platform().dialFault = 'lost-before'
    const one = await called('0002')
    const { phone_number } = (await getCall(one.call))!
    platform().dialFault = 'none'
    const { path, headers } = platform().seen[0]!
    const form = new URLSearchParams({ To: phone_number, From: CALLER.number, Url: 'https://other.example.com/' })
    const signed = { authorization: headers.authorization!, 'content-type': 'application/x-www-form-urlencoded' }
    await fetch(`${platform().url}${path}`, { method: 'POST', headers: signed, body: form.toString() })
    expect(platform().rung).toHaveLength(1)
    for (let tries = 0; tries < 5; tries++) {
      passTime(LATER)
      await watch(one.call)
    }
    expect(await getCall(one.call)).toMatchObject({ unknown_time: expect.any(Number), provider_call_id: null })
  })

  it('a call whose answer was lost is found by both numbers and the time, if no report can come', async () => {
    hide()
    platform().dialFault = 'lost-after'
    const one = await called('0008')
    passTime(LATER)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({
      accepted_time: expect.any(Number),
      provider_call_id: platform().rung[0]?.platformCallId,
    })
  })
})

describe('lost callbacks', () => {
  it('a call whose callbacks were lost is polled before it counts as unknown', async () => {
    platform().callbackFault = 'lost'
    const one = await called('0002')
    passTime(11 * MINUTE)
    await watch(one.call)
    expect(await outcome(one)).toMatchObject({ outcome: 'DIAL_NO_ANSWER', status: 'OPEN' })
    expect((await leadNow(one.lead)).next_call_time).not.toBeNull()
    expect(platform().rung).toHaveLength(1)
  })

  it('a poll leaves a call alone that goes on', async () => {
    platform().callbackFault = 'lost'
    const one = await called('0009')
    for (let tries = 0; tries < 4; tries++) {
      passTime(11 * MINUTE)
      await watch(one.call)
    }
    expect(await getCall(one.call)).toMatchObject({ unknown_time: null, completed_time: null })
    ;(platform() as TwilioEmulator).proceed(platform().rung[0]!.platformCallId, 'completed')
    passTime(11 * MINUTE)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), duration_seconds: 42 })
  })

  it('a conversation that has just ended has at least half an hour until its outcome is presumed', async () => {
    platform().callbackFault = 'lost'
    const one = await called('0009')
    passTime(10 * MINUTE)
    ;(platform() as TwilioEmulator).proceed(platform().rung[0]!.platformCallId, 'completed')
    passTime(MINUTE)
    await watch(one.call)
    expect(await phoneOf(one.phone)).toMatchObject({ current_call: null })
    passTime(28 * MINUTE)
    await watch(one.call)
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), completed_time: null, presumed_outcome: 'completed' })
    passTime(11 * MINUTE)
    await watch(one.call)
    expect(await outcome(one)).toMatchObject({ outcome: 'COMPLETED', status: 'OPEN' })
  })

  it('the outcome of a conversation that ended long ago is not delayed', async () => {
    platform().callbackFault = 'lost'
    const one = await called('0123')
    passTime(40 * MINUTE)
    await watch(one.call)
    expect(await outcome(one)).toMatchObject({ outcome: 'COMPLETED', status: 'OPEN' })
  })
})

describe('a call while no platform can reach the service', () => {
  /** Runs the sweep a minute later, and the looks at calls that it sends. */
  const sweep = async (): Promise<void> => {
    passTime(MINUTE)
    await dispatchDue()
    await place((await queued()).filter(({ type }) => type === 'watch'))
  }
  const requests = (method: string) => platform().seen.filter((request) => request.method === method)

  it('a service that no platform can reach names no address for reports, and asks for the outcome within a minute', async () => {
    hide()
    const one = await called('0002')
    expect(requests('POST').map(({ body }) => body)).toEqual([expect.not.stringContaining('Callback')])
    expect(await getCall(one.call)).toMatchObject({ only_polled: true })
    await sweep()
    expect(await outcome(one)).toMatchObject({ outcome: 'DIAL_NO_ANSWER', status: 'OPEN' })
  })

  it('a service that no platform can reach polls a call every minute, and cancels it when it is stopped', async () => {
    hide()
    const one = await called('0009')
    for (let minute = 1; minute <= 3; minute++) {
      await sweep()
      expect(requests('GET')).toHaveLength(minute)
    }
    expect(await getCall(one.call)).toMatchObject({ ended_time: null, unknown_time: null })
    await patch(one.lead, { call_dnc: true })
    await place(await queued())
    await sweep()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number) })
  })

  it('a conversation at an unreachable service counts by its end half an hour later if no outcome comes', async () => {
    hide()
    const one = await called('0123')
    await sweep()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), completed_time: null, presumed_outcome: 'completed' })
    for (let minute = 1; minute <= 32; minute++) await sweep()
    expect(await outcome(one)).toMatchObject({ outcome: 'COMPLETED', status: 'OPEN' })
  })

  it('a service that no platform can reach polls a call again that the platform does not know yet', async () => {
    hide()
    const one = await called('0009')
    ;(platform() as TwilioEmulator).readFault = { status: 404, body: { code: 20404, message: 'Not found' } }
    await sweep()
    expect(await getCall(one.call)).toMatchObject({ unknown_time: null })
  })
})

describe('a conversation whose outcome is never reported', () => {
  it('a conversation whose outcome is never reported counts by its end, half an hour later', async () => {
    const one = await called('0123')
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ ended_time: expect.any(Number), completed_time: null })
    passTime(31 * MINUTE)
    await watch(one.call)
    expect(await outcome(one)).toMatchObject({ outcome: 'COMPLETED', status: 'OPEN' })
  })

  it('a conversation whose outcome is never reported counts as a voicemail when a separate callback named a machine', async () => {
    const one = await called('0007')
    await deliver()
    passTime(31 * MINUTE)
    await watch(one.call)
    expect(await outcome(one)).toMatchObject({ outcome: 'WENT_TO_VOICEMAIL', status: 'OPEN' })
  })
})

describe('a platform whose account cannot call', () => {
  it.each([401, 402, 429])('a platform that answers %i costs the lead no attempt, and stops the calls of the agent', async (status) => {
    platform().dialFault = { status, body: { code: 20003, message: 'Authenticate' } }
    const one = await called('0002')
    expect(await getCall(one.call)).toMatchObject({ refused_time: expect.any(Number), unsent_time: expect.any(Number) })
    platform().dialFault = 'none'
    await called('0004')
    expect(platform().rung).toEqual([])
    expect(await leadNow(one.lead)).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
  })
})
