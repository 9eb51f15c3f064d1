import type { Agent } from '#shared/accounts/configuration.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import type { Advice } from '#shared/agents/platforms/adapter.ts'
import { CALENDAR_TOOLS } from '#shared/agents/platforms/tools.ts'
import { checkSetUp, toolDefinitions } from '#shared/agents/set-up.ts'
import { withoutAws } from '../local/without-aws.ts'
import { OpsRefusal } from './refusal.ts'
import { readConfigurationState } from './state.ts'
import type { OpsEnvironment } from './surroundings.ts'

type Environment = OpsEnvironment['environment']

const knownAgent = async (id: string): Promise<Agent> => {
  const agent = await readAgent(id)
  if (agent) return agent
  throw new OpsRefusal(`There is no agent ${id}. See the agents with: npm run ops -- get agents`)
}

const orRefusal = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw new OpsRefusal(error instanceof Error ? error.message : 'The platform could not be asked.')
  })

/** Whether a lead type whose calls the agent makes has a calendar. */
const hasCalendar = async (agent: string): Promise<boolean> =>
  [...(await readConfigurationState()).users.values()].some(({ leadTypes }) =>
    leadTypes.some((type) => type.agent === agent && type.calendar !== null),
  )

/** Where platforms reach the service. Empty: they cannot. */
const platformBaseUrlIn = (environment: Environment): string => environment['PLATFORM_BASE_URL'] ?? ''

/**
 * Checks the set-up of an agent at its platform.
 * @returns undefined when it speaks our own protocol: then no platform can be asked
 * @throws OpsRefusal when there is no such agent, or nobody answers
 */
export const checkAgent = async (id: string, environment: Environment): Promise<readonly Advice[] | undefined> => {
  const agent = await knownAgent(id)
  if (!agent.platform) return undefined
  const needed = ['do_not_call', ...((await hasCalendar(id)) ? CALENDAR_TOOLS : [])] as const
  const permitted = (environment['CONNECT_INSTANCES'] ?? '').split(',').filter(Boolean)
  const unable = withoutAws(agent)
  if (unable !== undefined) throw new OpsRefusal(unable)
  const advice = await orRefusal(checkSetUp(agent, platformBaseUrlIn(environment), { needed, permitted }))
  const printed = `To print the tool, use: npm run ops -- agents tools ${id}`
  return advice.map((one) => (one.tool ? { ...one, problem: `${one.problem} ${printed}` } : one))
}

/** The definitions of the tools of an agent's assistant, by name. @throws OpsRefusal when there is no such agent, or it has none */
export const toolsOfAgent = async (id: string, environment: Environment): Promise<Readonly<Record<string, string>>> => {
  const agent = await knownAgent(id)
  if (!agent.platform)
    throw new OpsRefusal(`The agent ${id} speaks the protocol of this service and is on no platform, so it has no tools to paste.`)
  const baseUrl = platformBaseUrlIn(environment)
  if (baseUrl === '')
    throw new OpsRefusal(
      'No platform can reach this service, so no tool would work. Start it with --public-url and the address of a tunnel.',
    )
  return orRefusal(toolDefinitions(agent, baseUrl))
}
