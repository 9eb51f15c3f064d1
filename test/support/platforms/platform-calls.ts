import { afterEach, beforeEach } from '@jest/globals'
import { handler as events } from '#functions/agents/platform-events.ts'
import { handler as tools } from '#functions/agents/platform-tools.ts'
import type { Assistant, LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { giveName } from '#shared/accounts/names.ts'
import { readAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { sealCredentials } from '#shared/agents/credentials.ts'
import type { ToolName } from '#shared/agents/platforms/tools.ts'
import { toolDefinitions } from '#shared/agents/set-up.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { leadNow, patch } from '#test/support/lead-requests.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { OWNER, request } from '#test/support/world.ts'
import { type CallbackReceiver, receiveCallbacks } from './callbacks.ts'
import type { Emulator } from './emulator.ts'
import { CALLER } from './sample-dial.ts'

interface PlatformAgent {
  readonly platform: Emulator
  readonly settings?: Assistant['settings']
  readonly name: string
  readonly apiKey: string
  readonly callbackSecret?: string
  readonly assistant: string
  readonly from?: Assistant['from'][number]
}

/**
 * A world in which leads are called by an agent on an emulated voice platform. The platform's callbacks go through the service's function
 * when a test delivers them.
 */
export const platformCalls = (
  start: (now: () => number) => Promise<PlatformAgent>,
  now: () => number,
  /** The calendar of the lead type. */
  calendar: () => LeadType['calendar'] = () => null,
) => {
  const calls = callWorld()
  let receiver: CallbackReceiver
  let platform: Emulator
  /** Every test has an agent and a lead type of its own, since functions cache them. */
  let id = 70
  const agentKey = () => `voice-${id}`

  beforeEach(async () => {
    id++
    setClock(NOON)
    receiver = await receiveCallbacks(now)
    process.env['PLATFORM_BASE_URL'] = receiver.url
    const agent = await start(now)
    platform = agent.platform
    const { name, assistant, settings = {}, apiKey, callbackSecret = null, from = CALLER } = agent
    const credentials = await sealCredentials(agentKey(), { api_key: apiKey, callback_secret: callbackSecret })
    const onPlatform = { name, assistant, from: [from], settings, credentials, credentials_hash: '', longest_call_seconds: 600 }
    await saveAgent({ id: agentKey(), url: platform.url, secrets: [], platform: onPlatform })
    await giveName({ kind: 'AGENT', keys: [agentKey()], id: agentKey() })
    await saveLeadType(sampleLeadType({ id, owner: OWNER, agent: agentKey(), calendar: calendar() }))
  })
  afterEach(async () => {
    await Promise.all([platform.close(), receiver.close()])
  })

  /** From now on, no platform can reach the service. */
  const hide = () => {
    process.env['PLATFORM_BASE_URL'] = ''
  }

  /** Delivers the requests of the platform that have arrived so far. @returns the answers */
  const answers = async () => {
    await platform.settled()
    const given: Awaited<ReturnType<typeof request>>[] = []
    for (const { url, rawBody, headers } of receiver.received.splice(0)) {
      const { pathname, search, host } = new URL(url)
      const [, tool] = /\/tools\/(\w+)\/$/.exec(pathname) ?? []
      given.push(
        await request(tool === undefined ? events : tools, {
          method: 'POST',
          path: `${pathname}${search}`,
          parameters: { agent: agentKey(), ...(tool !== undefined && { tool }) },
          headers: { ...headers, host, 'x-forwarded-proto': 'http' },
          body: rawBody,
        }),
      )
    }
    return given
  }
  const deliver = async (): Promise<number[]> => (await answers()).map(({ status }) => status)

  /** The definition of a tool, as the operator pastes it. */
  const definition = async (tool: ToolName): Promise<unknown> => {
    const agent = await readAgent(agentKey())
    return agent && JSON.parse((await toolDefinitions(agent, receiver.url))[tool] ?? 'null')
  }

  let phones = 200
  /** Creates a lead and places its call. The last four digits of its phone say how the call goes. */
  const called = (lastFour: string) => calls.inCall({ phone_number: `+1212${phones++}${lastFour}`, lead_type: id })

  const outcome = async ({ lead, call }: { readonly lead: number; readonly call: string }) => {
    const { call_status, outcome: shown } = Object(await getCall(call))
    const { status, status_detail } = await leadNow(lead)
    return { call_status, outcome: shown, status, status_detail }
  }

  /**
   * Stops the person of a call, and delivers the events that follow.
   * @returns the call after the request to end it, and the call and its lead at the end
   */
  const stopped = async (
    { lead, call }: { readonly lead: number; readonly call: string },
    deliverEvents: () => Promise<unknown> = deliver,
  ) => {
    await patch(lead, { call_dnc: true })
    await calls.place(await calls.queued())
    const asked = await getCall(call)
    await deliverEvents()
    return { asked, ended: await getCall(call), lead: await leadNow(lead) }
  }

  return {
    ...calls,
    platform: () => platform,
    agentKey,
    leadTypeId: () => id,
    hide,
    deliver,
    answers,
    definition,
    called,
    outcome,
    stopped,
  }
}
