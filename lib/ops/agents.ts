import { readAgent } from '#shared/agents/agent-store.ts'
import type { Advice } from '#shared/agents/platforms/adapter.ts'
import { platformCallbackUrl } from '#shared/agents/rules/call-request.ts'
import { checkSetUp } from '#shared/agents/voice-agent.ts'
import { OpsRefusal } from './refusal.ts'
import type { OpsEnvironment } from './surroundings.ts'

/**
 * Checks the set-up of an agent at its platform.
 * @throws OpsRefusal when there is no such agent, it is on no platform, or nobody answers
 */
export const checkAgent = async (id: string, environment: OpsEnvironment['environment']): Promise<readonly Advice[]> => {
  const agent = await readAgent(id)
  if (!agent) throw new OpsRefusal(`There is no agent ${id}. See the agents with: npm run ops -- get agents`)
  if (!agent.platform)
    throw new OpsRefusal(`The agent ${id} speaks the protocol of this service and is on no platform. Place a call to see whether it works.`)
  const permitted = (environment['CONNECT_INSTANCES'] ?? '').split(',').filter(Boolean)
  const platformBaseUrl = environment['PLATFORM_BASE_URL'] ?? ''
  const callbackUrl = platformBaseUrl === '' ? null : platformCallbackUrl(platformBaseUrl, id)
  return checkSetUp(agent, callbackUrl, permitted).catch((error: unknown) => {
    throw new OpsRefusal(error instanceof Error ? error.message : 'The platform could not be asked.')
  })
}
