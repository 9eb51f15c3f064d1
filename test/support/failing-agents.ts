import { beforeEach, expect } from '@jest/globals'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { getBreaker } from '#shared/agents/breaker-store.ts'
import { holderOfPart } from '#shared/backlog/rules/holders.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { callWorld } from './agent-calls.ts'
import { setClock } from './clock.ts'
import { created } from './lead-requests.ts'
import type { ReceiverAnswer } from './receiver.ts'
import { NOON, sampleLeadType } from './samples.ts'
import { KEY, OWNER } from './world.ts'

export const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }

/** A world with a new agent and leads for each test. The agent accepts calls until a test changes its answer. */
export const failingAgents = () => {
  let answer: ReceiverAnswer
  let type = 100
  /** Leads of the current test. Delayed messages of earlier tests can still arrive, and are ignored. */
  const leads = new Set<number>()
  const calls = callWorld(() => answer)
  const { world, place } = calls

  const agent = () => ({ id: `agent-${type}`, url: world().agent.url, secrets: [world().agentSecret] })
  const breaker = () => getBreaker(agent().id)

  /** Adds an agent, and a lead type with the same id for both users. @returns that id */
  const addAgent = async (url = world().agent.url): Promise<number> => {
    type++
    await saveAgent({ ...agent(), url })
    for (const owner of [OWNER, 2]) await saveLeadType(sampleLeadType({ id: type, owner, agent: agent().id }))
    return type
  }

  const answers = (given: ReceiverAnswer): void => {
    answer = given
  }

  beforeEach(async () => {
    answers(ACCEPT)
    leads.clear()
    await addAgent()
  })

  const createLead = async (key = KEY): Promise<number> => {
    const { id } = await created({ lead_type: type }, key)
    leads.add(id)
    return id
  }

  const createLeads = async (count: number): Promise<number[]> => {
    const ids: number[] = []
    for (let lead = 0; lead < count; lead++) ids.push(await createLead())
    return ids
  }

  const isOfTest = (message: { agent?: string; lead_id?: number; call_id?: string }): boolean =>
    message.agent === undefined
      ? leads.has(message.lead_id ?? Number.parseInt(message.call_id ?? '', 10))
      : (holderOfPart(message.agent) ?? message.agent) === agent().id
  const queued = async () => (await calls.queued()).filter(isOfTest)

  /** Creates a lead. @returns its id, and the message that it is due */
  const dueLead = async (key = KEY) => {
    const id = await createLead(key)
    const messages = await queued()
    const message = messages.find(({ lead_id }) => lead_id === id)
    expect({ id, messages, isSent: message !== undefined }).toMatchObject({ isSent: true })
    return { id, message }
  }

  const fail = async (times: number, status = 500): Promise<void> => {
    answers({ status })
    for (let time = 0; time < times; time++) await place([(await dueLead()).message])
  }

  /** Opens the circuit breaker, and clears the agent's requests. */
  const open = async (): Promise<void> => {
    await fail(5)
    expect((await breaker()).open_until).toBeGreaterThan(NOON)
    world().agent.requests.length = 0
    answers(ACCEPT)
  }

  /** Sets the clock to just after the breaker's pause, however long the test took. */
  const pauseIsOver = async (): Promise<void> => setClock((await breaker()).open_until + SECOND)

  const placeQueued = () => calls.placeQueued(queued)

  return { ...calls, agent, breaker, addAgent, answers, createLeads, queued, dueLead, fail, open, pauseIsOver, placeQueued }
}
