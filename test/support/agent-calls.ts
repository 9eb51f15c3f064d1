import { randomBytes } from 'node:crypto'
import { beforeEach, expect } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events/index.ts'
import { handler as inbound } from '#functions/agents/inbound-calls/index.ts'
import { handler as placeCall } from '#functions/workers/place-call/index.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { agentRequest } from './agent-request.ts'
import { passTime, setClock } from './clock.ts'
import { duringSuite } from './during-suite.ts'
import { created } from './lead-requests.ts'
import type { ReceiverOptions } from './receiver.ts'
import { NOON } from './samples.ts'
import { consumeAll, request, startWorld } from './world.ts'

type World = Awaited<ReturnType<typeof startWorld>>

/** What an agent and the call queue do in a test. `world`: asked for when it is needed, since a test starts it late. */
export const agentCalls = (world: () => World) => {
  const queued = async () => (await world().queues.take('CALL_QUEUE_URL')).map((body) => JSON.parse(body))

  const place = (messages: readonly unknown[]) => consumeAll(placeCall, messages)

  /** Hands messages on until none of them comes back: one may that lost a race for the user's lines. Not for ever: some wait for a time. */
  const placeAll = async (messages: readonly unknown[]): Promise<void> => {
    for (let [left, tries] = [messages, 0]; left.length > 0 && tries < 5; tries++) left = (await place(left)).map((index) => left[index])
  }

  /** Hands on whatever the queue holds until nothing more comes. @returns all of that */
  const settle = async (take = queued): Promise<unknown[]> => {
    const all: unknown[] = []
    for (let messages = await take(); messages.length > 0; messages = await take()) {
      all.push(...messages)
      await placeAll(messages)
      // Some come a second after the others, and are due only then.
      passTime(1000)
    }
    return all
  }

  /** A lead in a call that the agent has taken. */
  const inCall = async (fields: Record<string, unknown> = {}): Promise<{ lead: number; call: string; phone: string }> => {
    const { id, phone_number } = await created(fields)
    await place(await queued())
    return { lead: id, call: `${id}-1`, phone: phone_number }
  }

  /** A report, signed, with the call's own provider id. `seconds` after NOON by the agent's clock; `more` beside the data. */
  const tell = async (call: string, type: string, data: unknown = {}, seconds = 0, more: Record<string, unknown> = {}) => {
    const provider_call_id = (await getCall(call))?.provider_call_id
    const time = new Date(NOON + seconds * 1000).toISOString()
    const body = { type, call_id: call, time, provider_call_id, data, ...more }
    return request(report, agentRequest(world().agentSecret, `/api/agents/calls/${call}/events/`, body, { call_id: call }))
  }

  /** A report that is accepted. @returns what is answered */
  const told = async (...report: Parameters<typeof tell>) => {
    const { status, body } = await tell(...report)
    expect(status).toBe(200)
    return body
  }

  /** The calls that the agent was asked for, in the order of its requests. */
  const keysAsked = () => world().agent.requests.map(({ headers }) => `${headers['idempotency-key']}`)

  /** A person calls. */
  const ring = (from: string, to: string, provider_call_id = randomBytes(6).toString('hex')) =>
    request(inbound, agentRequest(world().agentSecret, '/api/agents/inbound-calls/', { provider_call_id, from, to }))

  return { queued, place, settle, inCall, tell, told, keysAsked, ring }
}

/** As `agentCalls`, in a world of the suite's own: each test begins at noon, with an empty queue and an agent that nobody has asked. */
export const callWorld = (agentAnswers?: ReceiverOptions['respond']) => {
  const world = duringSuite(
    () => startWorld(agentAnswers),
    (started) => started.stop(),
  )
  beforeEach(async () => {
    setClock(NOON)
    await world().queues.take('CALL_QUEUE_URL')
    world().agent.requests.length = 0
  })
  return { world, ...agentCalls(world) }
}
