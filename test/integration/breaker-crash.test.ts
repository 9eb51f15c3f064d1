import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create/index.ts'
import { handler as dispatchDue } from '#functions/workers/dispatch-due/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { opening } from '#shared/domain/calling/breaker.ts'
import { saveAgent } from '#shared/storage/agents.ts'
import { claimProbe, closeBreaker, countFailure, getBreaker, openBreaker } from '#shared/storage/breakers.ts'
import { agentsToLookAt } from '#shared/storage/due.ts'
import { saveLeadType } from '#shared/storage/lead-types.ts'
import { getLead } from '#shared/storage/leads.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { consumeAll, OWNER, request, setClock, startWorld } from '#test/support/world.ts'

const MINUTE = 60_000

let world: Awaited<ReturnType<typeof startWorld>>
let nextPhone = 1000
let type = 100

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const agent = () => ({ id: `agent-${type}`, url: world.agent.url, secrets: [world.agentSecret] })

beforeEach(async () => {
  setClock(NOON)
  type++
  await saveAgent(agent())
  await saveLeadType(sampleLeadType({ id: type, owner: OWNER, agent: agent().id }))
  await world.queues.take('CALL_QUEUE_URL')
  world.agent.requests.length = 0
})

const queued = async () => (await world.queues.take('CALL_QUEUE_URL')).map((body) => JSON.parse(body))

/** Hands on whatever the queue holds until nothing more comes. */
const settle = async (): Promise<void> => {
  for (let messages = await queued(); messages.length > 0; messages = await queued()) await consumeAll(placeCall, messages)
}

const dueLeads = async (count: number): Promise<number[]> => {
  const ids: number[] = []
  for (let lead = 0; lead < count; lead++) {
    const body = { phone_number: `+1212555${nextPhone++}`, timezone: 'America/New_York', lead_type: type }
    ids.push((await request(create, { method: 'POST', path: '/api/leads/', body })).body.id)
  }
  return ids
}

const attemptsOf = async (ids: readonly number[]) => (await Promise.all(ids.map(getLead))).map((lead) => lead?.attempts)
const isLookedAt = async () => (await agentsToLookAt(NOON + 24 * 60 * MINUTE, 100)).some(({ agent: id }) => id === agent().id)

const countFive = async (of = agent()) => {
  for (let failure = 0; failure < 5; failure++) await countFailure(of)
}

describe('whoever counted the fifth failure and died before the agent was given up', () => {
  it.each([false, true])('strands nobody; with earlier ones: %s', async (wasBack) => {
    if (wasBack) {
      await countFailure(agent())
      await closeBreaker(agent().id, NOON)
    }
    await countFive()
    const ids = await dueLeads(2)
    await consumeAll(placeCall, await queued())
    expect(await attemptsOf(ids)).toEqual([1, 1])
    expect(await getBreaker(agent().id)).toMatchObject({ failures: 0, openings: 0 })
  })

  it('leaves that to the next failure, which gives it up and has it looked at', async () => {
    await countFive()
    expect(await claimProbe(agent().id, '1-1', NOON)).toBe(false)
    const counted = await countFailure(agent())
    const next = opening(counted, { callId: '1-1', failure: 'It failed.', now: NOON })
    expect(next && (await openBreaker(agent().id, counted, next))).toBe(true)
    expect(await isLookedAt()).toBe(true)
  })
})

describe('an agent whose address is changed while it is given up', () => {
  it('begins anew, also when that is changed back', async () => {
    const before = { ...agent(), url: 'http://127.0.0.1:2' }
    await countFive(before)
    const read = { failures: 5, openings: 0, open_until: 0, reason: '', probe: null }
    await openBreaker(agent().id, read, { openings: 1, open_until: NOON + MINUTE, reason: 'It failed.' })
    setClock(NOON + 5 * MINUTE)
    await dispatchDue()
    await settle()
    expect(await isLookedAt()).toBe(false)
    const counted = await countFailure(before)
    const next = opening(counted, { callId: '1-1', failure: 'It failed.', now: NOON + 5 * MINUTE })
    expect(next && (await openBreaker(agent().id, counted, next))).toBe(true)
    expect(await isLookedAt()).toBe(true)
  })
})
