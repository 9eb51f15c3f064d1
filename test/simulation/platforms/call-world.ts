import { handler as report } from '#functions/agents/call-events.ts'
import { handler as events } from '#functions/agents/platform-events.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as retrieve } from '#functions/leads/retrieve.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as contactEvents } from '#functions/workers/contact-events.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { giveName, takeName } from '#shared/accounts/names.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { sealCredentials } from '#shared/agents/credentials.ts'
import type { PlatformCallback } from '#shared/agents/platforms/adapter.ts'
import { platformCallbackUrl } from '#shared/agents/rules/call-request.ts'
import { now } from '#shared/platform/clock.ts'
import { receiveCallbacks } from '#test/support/platforms/callbacks.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { consumeAll, KEY, OWNER, request, startWorld } from '#test/support/world.ts'
import { FROM, type Played, type PlayedPlatform, type Stage } from './played-platform.ts'
import { startVirtualCalls } from './virtual-calls.ts'

/** No test of a platform lets a conversation last longer. Seconds. */
const LONGEST_CALL = 600

interface Assigned {
  /** Id of the lead type whose leads the agent calls. */
  readonly id: number
  readonly owner?: number
  /** The name of its adapter, where it is not that of the platform. */
  readonly adapter?: string
  readonly endOf: Stage['endOf']
}

/** An agent is found by its name when its platform does not say which of its agents an event is for. */
const nameOf = (agent: string) => ({ kind: 'AGENT', keys: [agent], id: agent }) as const

/** Requests of a client and of platforms at the real handlers, with real engines. Time passes only when the simulation says so. */
export const startCallWorld = async () => {
  const world = await startWorld()
  const queue = startVirtualCalls()
  const receiver = await receiveCallbacks(now)
  Object.assign(process.env, { PUBLIC_BASE_URL: receiver.url, PLATFORM_BASE_URL: receiver.url })
  /** By the keys of their agents. */
  const played = new Map<string, Played>()

  /** Adds an agent on an emulated platform, and a lead type that it calls for. Both get a new name: functions cache them. */
  const addAgent = async (platform: PlayedPlatform, { id, owner = OWNER, adapter = platform.name, endOf }: Assigned): Promise<Played> => {
    const key = `voice-${id}`
    const onEvent = (event: string) => void receiver.received.push({ url: '', rawBody: event, headers: {}, at: now() })
    const one = await platform.start({ now, callbackUrl: platformCallbackUrl(receiver.url, key), onEvent, endOf })
    const { assistant, settings = {}, apiKey, callbackSecret = null, secrets = [], from = FROM } = one.account
    const onPlatform = async () => ({
      ...{ name: adapter, assistant, settings, from: [from], longest_call_seconds: LONGEST_CALL, credentials_hash: '' },
      credentials: await sealCredentials(key, { api_key: apiKey, callback_secret: callbackSecret }),
    })
    const isOpen = adapter === 'open'
    await saveAgent({ id: key, url: one.emulator.url, secrets: [...secrets], ...(!isOpen && { platform: await onPlatform() }) })
    await giveName(nameOf(key))
    await saveLeadType(sampleLeadType({ id, owner, agent: key }))
    played.set(key, one)
    return one
  }

  /** The callbacks that have arrived since the last look. */
  const callbacks = async (): Promise<PlatformCallback[]> => {
    await Promise.all([...played.values()].map(({ emulator }) => emulator.settled()))
    return receiver.received.splice(0)
  }

  /** Has the service's function take a callback or, without a URL, an event of EventBridge. @returns the status of the answer */
  const deliver = async ({ url, rawBody, headers }: PlatformCallback): Promise<number> => {
    if (url === '') return (await consumeAll(contactEvents, [rawBody])).length === 0 ? 200 : 503
    const { pathname, search, host } = new URL(url)
    const [, , , kind, name = ''] = pathname.split('/')
    const isOpen = kind === 'calls'
    const { status } = await request(isOpen ? report : events, {
      method: 'POST',
      path: `${pathname}${search}`,
      parameters: isOpen ? { call_id: name } : { agent: name },
      headers: { ...headers, host, 'x-forwarded-proto': 'http' },
      body: rawBody,
    })
    return status
  }

  const as = (id: number, key: string) => ({
    path: `/api/leads/${id}/`,
    parameters: { id: `${id}` },
    headers: { Authorization: `Token ${key}` },
  })

  return {
    queue,
    tableUrl: world.engine.url,
    addAgent,
    callbacks,
    deliver,
    /** @returns the lead's id */
    createLead: async (body: Readonly<Record<string, unknown>>, key = KEY): Promise<number> => {
      const headers = { Authorization: `Token ${key}` }
      const answer = await request(create, {
        method: 'POST',
        path: '/api/leads/',
        headers,
        body: { timezone: 'America/New_York', ...body },
      })
      if (answer.status !== 201) throw new Error(`A lead was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      return answer.body.id
    },
    showLead: async (id: number, key = KEY) => (await request(retrieve, { method: 'GET', ...as(id, key) })).body,
    patchLead: async (id: number, body: unknown, key = KEY): Promise<number> =>
      (await request(update, { method: 'PATCH', ...as(id, key), body })).status,
    /** Closes the emulators that were started since the last time. */
    closeAgents: async (): Promise<void> => {
      await Promise.all([...played].map(async ([key, { emulator }]) => Promise.all([emulator.close(), takeName(nameOf(key))])))
      played.clear()
      receiver.received.length = 0
    },
    stop: async (): Promise<void> => {
      await Promise.all([...played.values()].map(({ emulator }) => emulator.close()))
      queue.stop()
      await Promise.all([world.stop(), receiver.close()])
    },
  }
}
export type CallWorld = Awaited<ReturnType<typeof startCallWorld>>
