import { beforeAll, describe, expect, it } from '@jest/globals'
import { getBreaker } from '#shared/agents/breaker-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { passTime } from '#test/support/clock.ts'
import { leadNow } from '#test/support/lead-requests.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { startVapiAgent } from '#test/support/platforms/vapi-agent.ts'

const LIMIT = 'The limit of calls at the same time is reached at Vapi.'
let concurrencyLimit = 10
let vapi: Awaited<ReturnType<typeof startVapiAgent>>['platform']
const start = async (clock: () => number) => {
  const agent = await startVapiAgent(clock, { concurrencyLimit })
  vapi = agent.platform
  return agent
}

const { deliver, called, place } = platformCalls(start, now)
const NO_CREDITS = '0004'

describe('a late refusal because of the account', () => {
  it.each([
    ['reports it once', 'none'],
    ['reports it twice', 'twice'],
    ['reports it only when it is polled', 'lost'],
  ] as const)(
    "a late refusal because of the account costs no attempt and stops the agent's calls, when the platform %s",
    async (_, fault) => {
      vapi.callbackFault = fault
      const one = await called(NO_CREDITS)
      await deliver()
      if (fault === 'lost') {
        passTime(11 * MINUTE)
        await place([{ type: 'watch', call_id: one.call }])
      }
      expect(await getCall(one.call)).toMatchObject({
        refused_time: expect.any(Number),
        unsent_time: expect.any(Number),
        completed_time: null,
        unknown_time: null,
        failure: 'Vapi did not place a call: call.start.error-subscription-insufficient-credits.',
      })
      expect(await leadNow(one.lead)).toMatchObject({ status: 'OPEN', next_call_time: expect.any(String) })
      const asked = vapi.seen.length
      await called('0001')
      expect(vapi.seen).toHaveLength(asked)
    },
  )

  it('a call that somebody has answered is not undone by a late refusal', async () => {
    const one = await called('0007')
    await deliver()
    vapi.release(vapi.rung[0]!.platformCallId, { endedReason: 'call.start.error-subscription-frozen' })
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ answered_time: expect.any(Number), refused_time: null })
  })
})

describe('a call that a platform accepts beyond the limit of its account', () => {
  beforeAll(() => {
    concurrencyLimit = 0
  })

  it('a call beyond the limit of the account goes on, and the agent gets no further calls for a while', async () => {
    const one = await called('0001')
    expect(await getCall(one.call)).toMatchObject({ accepted_time: expect.any(Number), refused_time: null })
    const asked = vapi.seen.length
    const other = await called('0002')
    expect(vapi.seen).toHaveLength(asked)
    expect(await leadNow(other.lead)).toMatchObject({ status: 'OPEN', next_call_time_reason: 'CAPACITY' })
    expect((await getBreaker((await getCall(one.call))!.agent)).reason).toBe(LIMIT)
  })
})
