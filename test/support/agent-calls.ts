import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect } from '@jest/globals'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as inbound } from '#functions/agents/inbound-calls.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { groupHolding } from '#shared/calling/line-store.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { agentRequest } from './agent-request.ts'
import { passTime } from './clock.ts'
import { created } from './lead-requests.ts'
import { NOON } from './samples.ts'
import { suiteWorld } from './suite-world.ts'
import { consumeAll, OWNER, request, type startWorld } from './world.ts'

/** Whether a call holds any of the owner's lines. */
export const hasLine = async (call: string): Promise<boolean> => (await groupHolding(OWNER, call)) !== undefined

type World = Awaited<ReturnType<typeof startWorld>>

/** The agent and the call queue of a test. `world` is a function, since the suite starts the world later. */
export const agentCalls = (world: () => World) => {
  const queued = async () => (await world().queues.take('CALL_QUEUE_URL')).map((body) => JSON.parse(body))

  const place = (messages: readonly unknown[]) => consumeAll(placeCall, messages)

  /** Delivers messages again while some come back, as after a lost race for a line. At most five rounds: some wait for a later time. */
  const placeAll = async (messages: readonly unknown[]): Promise<void> => {
    for (let [left, tries] = [messages, 0]; left.length > 0 && tries < 5; tries++) left = (await place(left)).map((index) => left[index])
  }

  /** As `queued`, but waits for the messages that are delayed by a second: the queue does not use the stopped clock. */
  const queuedSoon = async () => {
    const messages = await queued()
    if (messages.length > 0 || (await world().queues.delayed('CALL_QUEUE_URL')) === 0) return messages
    await sleep(SECOND)
    return queued()
  }

  /** Delivers all queued messages until the queue stays empty. @returns these messages */
  const placeQueued = async (take = queuedSoon): Promise<unknown[]> => {
    const all: unknown[] = []
    for (let messages = await take(); messages.length > 0; messages = await take()) {
      all.push(...messages)
      await placeAll(messages)
      // Some messages become due one second after the others.
      passTime(1000)
    }
    return all
  }

  /** Creates a lead and has its call accepted by the agent. */
  const inCall = async (fields: Record<string, unknown> = {}): Promise<{ lead: number; call: string; phone: string }> => {
    const { id, phone_number } = await created(fields)
    await place(await queued())
    return { lead: id, call: `${id}-1`, phone: phone_number }
  }

  /** Sends a signed report with the call's provider id. `seconds`: the agent's clock, after NOON. `more`: fields beside `data`. */
  const tell = async (call: string, type: string, data: unknown = {}, seconds = 0, more: Record<string, unknown> = {}) => {
    const provider_call_id = (await getCall(call))?.provider_call_id
    const time = new Date(NOON + seconds * 1000).toISOString()
    const body = { type, call_id: call, time, provider_call_id, data, ...more }
    return request(report, agentRequest(world().agentSecret, `/api/agents/calls/${call}/events/`, body, { call_id: call }))
  }

  /** Sends a report that must be accepted. @returns the answer's body */
  const told = async (...report: Parameters<typeof tell>) => {
    const { status, body } = await tell(...report)
    expect(status).toBe(200)
    return body
  }

  /** Idempotency keys of the agent's requests, in order. */
  const keysAsked = () => world().agent.requests.map(({ headers }) => `${headers['idempotency-key']}`)

  /** Reports an inbound call. */
  const ring = (from: string, to: string, provider_call_id = randomBytes(6).toString('hex')) =>
    request(inbound, agentRequest(world().agentSecret, '/api/agents/inbound-calls/', { provider_call_id, from, to }))

  return { queued, place, placeQueued, inCall, tell, told, keysAsked, ring }
}

/** As `agentCalls`, with a world for the suite. Each test starts at noon, with an empty queue and no requests at the agent. */
export const callWorld = (...options: Parameters<typeof startWorld>) => {
  const world = suiteWorld(...options)
  beforeEach(async () => {
    await world().queues.renew('CALL_QUEUE_URL')
    world().agent.requests.length = 0
  })
  return { world, ...agentCalls(world) }
}
