import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { getBreaker } from '#shared/agents/breaker-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { applyTranslation } from '#shared/calling/take-report.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { explained } from '#test/support/explained.ts'
import type { Reply } from '#test/support/platforms/emulator.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { startVapiAgent } from '#test/support/platforms/vapi-agent.ts'

/** The end of a phone number whose calls Vapi refuses, whatever the others do. */
const REFUSED = '0044'
/** Words that sound like the account, about a field of one call. */
const WORDS: Reply = { status: 400, body: { message: 'customer.name exceeds the limit of 40 characters' } }
let refusal: Reply
let vapi: Awaited<ReturnType<typeof startVapiAgent>>['platform']

const start = async (clock: () => number) => {
  const agent = await startVapiAgent(clock, { refuses: (number) => (number.endsWith(REFUSED) ? refusal : undefined) })
  vapi = agent.platform
  return agent
}

const { agentKey, deliver, called, queued, place, placeQueued } = platformCalls(start, now)

const timesAsked = () => vapi.seen.filter(({ body }) => body.includes(`${REFUSED}"`)).length
const sweep = async () => {
  passTime(MINUTE)
  await dispatchDue()
  await placeQueued()
  await deliver()
}

beforeEach(() => {
  refusal = WORDS
})

describe('a refusal whose words sound like a fault of the account', () => {
  it("a refusal whose words sound like the account's fault costs the lead no attempt, and other calls go on", async () => {
    const one = await called(REFUSED)
    expect(await getCall(one.call)).toMatchObject({ refused_time: expect.any(Number), unsent_time: expect.any(Number) })
    expect(await getBreaker(agentKey())).toMatchObject({ failures: 1, openings: 0 })
    const other = await called('0002')
    expect(await getCall(other.call)).toMatchObject({ accepted_time: expect.any(Number) })
  })

  it("the fifth refusal in a row whose words sound like the account's fault stops the calls of the agent", async () => {
    for (let call = 0; call < 5; call++) await called(REFUSED)
    expect(await getBreaker(agentKey())).toMatchObject({ failures: 5, openings: 1 })
  })
})

describe.each<[string, () => Reply]>([
  ['by words', () => WORDS],
  ['by its status', () => ({ status: 403, body: { message: 'Forbidden' } })],
])('a lead for which the platform blames the account %s, while it takes other calls', (_, given) => {
  it('a lead that the platform blames on the account waits like other refused leads while others are called', async () => {
    refusal = given()
    const { lead } = await called(REFUSED)
    let rounds = 0
    for (; rounds < 15 && ((await getLead(lead))?.next_call_time ?? Infinity) < now() + 10 * MINUTE; rounds++) {
      await called('0002')
      await sweep()
    }
    expect(timesAsked()).toBeLessThan(9)
    expect(await getLead(lead)).toMatchObject({ status: 'OPEN', due_list: 'CALL', refusals: 4 })
    const other = await called('0001')
    expect(await getCall(other.call)).toMatchObject({ accepted_time: expect.any(Number) })
  })
})

describe('a lead that is refused again and again', () => {
  /** Calls the lead until it has no next call. @returns its refusals after each call */
  const refusalsOf = async (lead: number) => {
    const refusals: number[] = []
    for (let round = 0; round < 20; round++) {
      const found = await getLead(lead)
      refusals.push(found?.refusals ?? 0)
      if (!found?.next_call_time) return refusals
      setClock(Math.max(found.next_call_time, (await getBreaker(agentKey())).open_until, now()) + MINUTE)
      await dispatchDue()
      for (let sent = await queued(); sent.length > 0; sent = await queued()) for (const message of sent) await place([message])
    }
    return refusals
  }

  it.each<[string, string]>([
    ['for what only its call has', 'assistantOverrides.variableValues is malformed'],
    ['by words that sound like the account', 'customer.name exceeds the limit of 40 characters'],
  ])('a lead is given up after as many refusals with pauses of its agent as without them: refused %s', async (_, message) => {
    vapi.dialFault = { status: 429 }
    const { lead } = await called(REFUSED)
    vapi.dialFault = 'none'
    refusal = { status: 400, body: { message } }
    expect(await refusalsOf(lead)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await getLead(lead)).toMatchObject({ status: 'CLOSED_INCOMPLETE' })
  })
})

describe('the account of an agent that can take no calls', () => {
  it('a lead stays open and held, however often an account that can take no calls refuses it', async () => {
    refusal = { status: 402, body: { message: 'Payment required' } }
    const { lead } = await called(REFUSED)
    for (let round = 0; round < 30; round++) await sweep()
    expect(timesAsked()).toBeGreaterThan(3)
    expect(await getLead(lead)).toMatchObject({ status: 'OPEN', due_list: 'HELD', refusals: 1 })
  })
})

describe('a lead whose call was refused because of the account', () => {
  it('a lead refused because of the account is the probe again only after the other held leads', async () => {
    refusal = { status: 403 }
    const first = await called(REFUSED)
    passTime(SECOND)
    const [second, third] = [await called('0002'), await called('0001')]
    expect(await getLead(second.lead)).toMatchObject({ due_list: 'HELD', attempts: 0 })
    // The others fell due after the first refusal.
    for (const tested of [first, second, third, first]) {
      setClock((await getBreaker(agentKey())).open_until + SECOND)
      await dispatchDue()
      await place((await queued()).filter(({ agent }) => agent === agentKey()))
      const [probe] = (await queued()).filter(({ type }) => type === 'dial')
      expect(probe).toMatchObject({ lead_id: tested.lead })
      vapi.dialFault = { status: 403 }
      await place([probe])
    }
  })
})

describe('a late refusal of the platform', () => {
  const refusedLater = async (endedReason: string) => {
    const one = await called('0008')
    vapi.release((await getCall(one.call))?.provider_call_id ?? '', { endedReason, isUnrung: true })
    return one
  }

  it.each(['get-phone-number-validation', 'get-resources-validation', 'vapifault-get-transport'])(
    'a late refusal does not stop the calls of the agent when its code may concern one call: %s',
    async (code) => {
      const { lead, call } = await refusedLater(`call.start.error-${code}`)
      await deliver()
      expect(await getCall(call)).toMatchObject({ refused_time: expect.any(Number), account_blame: 'DOUBTED' })
      expect(await getBreaker(agentKey())).toMatchObject({ failures: 1, openings: 0 })
      expect(await getLead(lead)).toMatchObject({ refusals: 1 })
    },
  )

  it.each(['subscription-insufficient-credits', 'vapi-number-outbound-daily-limit'])(
    'a late refusal stops the calls of the agent when its code meets every call: %s',
    async (code) => {
      await refusedLater(`call.start.error-${code}`)
      await deliver()
      expect(await getBreaker(agentKey())).toMatchObject({ failures: 1, openings: 1 })
    },
  )

  it('a late refusal counts as one failure when it is delivered several times at once', async () => {
    const { call } = await called('0008')
    const read = await getCall(call)
    const refusal = { reason: 'Vapi did not place a call.', isWhole: false }
    const translation = { callId: call, platformCallId: read?.provider_call_id ?? null, reports: [], refusal }
    // Each delivery read the call before any of them recorded the refusal.
    for (let delivery = 0; delivery < 3; delivery++) if (read) await applyTranslation(read, translation, '')
    expect(await getBreaker(agentKey())).toMatchObject({ failures: 1 })
  })
})

describe('a platform’s message', () => {
  const NAME = 'Ada Lovelace <ada@example.com>'
  const shown = async ({ lead }: { readonly lead: number }) => JSON.stringify([await explained(lead), await getBreaker(agentKey())])

  it.each<[string, Reply]>([
    ['refuses every call', { status: 403, body: { message: `Forbidden for ${NAME}` } }],
    ['refuses a call by words', { status: 400, body: { message: `customer.name exceeds the limit: ${NAME}` } }],
    ['fails', { status: 500, body: { message: `Could not call ${NAME}` } }],
  ])('a platform’s message is shown only on its own call, when the platform %s', async (_, reply) => {
    refusal = reply
    const one = await called(REFUSED)
    const { failure, unclear_reason } = { ...(await getCall(one.call)) }
    expect(failure ?? unclear_reason).toMatch(new RegExp(`^Vapi answered ${reply.status}: .*${NAME}`))
    expect(await getBreaker(agentKey())).toMatchObject({ failure: `Vapi answered ${reply.status}.` })
    const other = await called('0002')
    expect(await shown(other)).not.toMatch(/Ada|example/)
  })

  it("the reason of a late refusal does not repeat the platform's message", async () => {
    const one = await called('0008')
    const { provider_call_id } = { ...(await getCall(one.call)) }
    vapi.release(provider_call_id ?? '', { endedReason: `call.start.error-subscription ${NAME}`, isUnrung: true })
    await deliver()
    expect(await getCall(one.call)).toMatchObject({ refused_time: expect.any(Number) })
    expect(await shown(one)).not.toMatch(/Ada|example/)
  })
})
