import type { Agent } from '../accounts/configuration.ts'
import { tokenSecretOf, toolAuthorization } from './platform-requests.ts'
import type { Advice } from './platforms/adapter.ts'
import { CHECKS } from './platforms/checks.ts'
import { definitionOf, type OfferedTool, type ToolName, toolNames } from './platforms/tools.ts'
import { platformCallbackUrl, platformToolUrl } from './rules/call-request.ts'
import { ask, type Connected, connect } from './voice-agent.ts'

const offered = (agent: Agent, { adapter, connection }: Connected, baseUrl: string, name: ToolName): OfferedTool => ({
  name,
  ...definitionOf(name),
  url: adapter.tools?.by === 'event' ? platformCallbackUrl(baseUrl, agent.id) : platformToolUrl(baseUrl, agent.id, name),
  authorization: adapter.tools?.by === 'token' ? toolAuthorization(agent.id, tokenSecretOf(connection)) : null,
})

/**
 * Asks a platform, by reading requests only, whether an agent is set up to make calls and to report them.
 * @param baseUrl where platforms reach this service. Empty: they cannot
 * @param needed the tools that its assistant should have
 * @param permitted ARNs of the instances of Amazon Connect that the deployment may use
 * @returns what to change
 * @throws when the platform does not answer
 */
export const checkSetUp = async (
  agent: Agent,
  baseUrl: string,
  { needed, permitted }: { readonly needed: readonly ToolName[]; readonly permitted: readonly string[] },
): Promise<readonly Advice[]> => {
  const connected = await connect(agent)
  if ('failure' in connected) return [{ problem: connected.failure }]
  const check = CHECKS[agent.platform?.name ?? '']
  if (!check) return []
  const isReached = baseUrl !== ''
  const tools = isReached ? needed.map((name) => offered(agent, connected, baseUrl, name)) : []
  const callbackUrl = isReached ? platformCallbackUrl(baseUrl, agent.id) : null
  return check(ask, { ...connected.connection, permitted }, agent.platform?.from ?? [], callbackUrl, tools)
}

/** The definitions of all tools that an agent's assistant may have, to paste at its platform. @throws when there are none */
export const toolDefinitions = async (agent: Agent, baseUrl: string): Promise<Readonly<Record<string, string>>> => {
  const connected = await connect(agent)
  if ('failure' in connected) throw new Error(connected.failure)
  const use = connected.adapter.tools
  if (!use) throw new Error('An agent of the protocol of this service has no tools: its code sends requests of its own.')
  if (use.by === 'token' && tokenSecretOf(connected.connection) === '')
    throw new Error('The agent has no callback_secret, so nobody could call its tools. Add one to the file that declares it, and apply it.')
  return Object.fromEntries(
    toolNames(use.isOwnCode === true).map((name) => [name, JSON.stringify(use.define(offered(agent, connected, baseUrl, name)), null, 2)]),
  )
}
