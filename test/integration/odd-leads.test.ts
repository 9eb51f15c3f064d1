import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { getBreaker } from '#shared/agents/breaker-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { passTime } from '#test/support/clock.ts'
import { created } from '#test/support/lead-requests.ts'
import { platformCalls } from '#test/support/platforms/platform-calls.ts'
import { startVapiAgent } from '#test/support/platforms/vapi-agent.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { OTHER_KEY } from '#test/support/world.ts'

/** The end of a phone number whose calls Vapi refuses, with words that sound like the account. */
const REFUSED = '0044'
const WORDS = { status: 400, body: { message: 'customer.name exceeds the limit of 40 characters' } }

const start = (clock: () => number) => startVapiAgent(clock, { refuses: (number) => (number.endsWith(REFUSED) ? WORDS : undefined) })

const { agentKey, deliver, called, queued, place } = platformCalls(start, now)

/** One message after the other: the odd leads, which came first, have every chance to go first. */
const placeInOrder = async () => {
  for (let sent = await queued(); sent.length > 0; sent = await queued()) for (const message of sent) await place([message])
  await deliver()
}

const anotherOwner = async (): Promise<number> => {
  const type = 5000 + Number(agentKey().split('-')[1])
  await saveLeadType(sampleLeadType({ id: type, owner: 2, agent: agentKey() }))
  return type
}

const minute = async () => {
  passTime(MINUTE)
  await dispatchDue()
  await placeInOrder()
}

describe('leads that the platform refuses', () => {
  it('80 refused leads of one owner delay the leads of another owner of the agent by at most two minutes', async () => {
    const type = await anotherOwner()
    const odd: number[] = []
    for (let lead = 0; lead < 80; lead++) odd.push((await called(REFUSED)).lead)
    expect(await getBreaker(agentKey())).toMatchObject({ openings: 1 })
    const good: number[] = []
    const areCalled: boolean[] = []
    for (let round = 0; round < 8; round++) {
      good.push((await created({ phone_number: `+12126660${round}02`, lead_type: type }, OTHER_KEY)).id)
      await placeInOrder()
      await minute()
      const [earlier] = good.slice(-2)
      areCalled.push(((await getLead(earlier ?? 0))?.attempts ?? 0) > 0)
    }
    expect(areCalled).toEqual(good.map(() => true))
    // The odd leads are used up meanwhile: each refusal counts.
    const counted = await Promise.all(odd.map(async (id) => (await getLead(id))?.refusals ?? 0))
    expect(counted.reduce((sum, refusals) => sum + refusals, 0)).toBeGreaterThan(20)
  })
})
