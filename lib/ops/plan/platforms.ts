import { createHash } from 'node:crypto'
import type { Agent } from '#shared/accounts/configuration.ts'
import { type Credentials, sealCredentials } from '#shared/agents/credentials.ts'
import type { Adapter } from '#shared/agents/platforms/adapter.ts'
import { adapterOf } from '#shared/agents/platforms/adapters.ts'
import type { Path } from '../configuration/mistakes.ts'
import type { AgentEntry } from '../configuration/schema.ts'
import type { View } from '../views.ts'
import { type Planning, secretOf, variableValue } from './planning.ts'

/** Settings of a file that only an agent on a platform has. */
const ONLY_ON_PLATFORMS = ['assistant', 'from', 'api_key', 'callback_secret', 'settings', 'longest_call_seconds'] as const

/** An agent's settings in a file, as far as they concern its platform. */
export interface PlatformPart {
  /** Undefined: the agent speaks our own protocol. */
  readonly said: View | undefined
  /** Stores what the file says, with new credentials sealed. */
  readonly seal: (agent: Agent, before: Agent | undefined) => Promise<Agent>
}

const hashOf = (credentials: Credentials): string => createHash('sha256').update(JSON.stringify(credentials)).digest('base64url')

const checkNames = ({ mistakes }: Planning, entry: AgentEntry, path: Path): void => {
  const [name] = ONLY_ON_PLATFORMS.filter((each) => entry[each] !== undefined)
  if (name) mistakes.add([...path, name], 'Only an agent on a voice platform has this setting. Add `platform`, or remove it.')
}

const checkSettings = ({ mistakes }: Planning, platform: string, settings: Readonly<Record<string, string>>, path: Path): void => {
  const known = adapterOf(platform)?.settings ?? {}
  for (const [name, { about, isOptional }] of Object.entries(known))
    if (!settings[name] && !isOptional) mistakes.add([...path, 'settings'], `The platform ${platform} needs the setting ${name}: ${about}`)
  for (const name of Object.keys(settings)) {
    if (name in known) continue
    const names = Object.keys(known)
    mistakes.add(
      [...path, 'settings', name],
      names.length === 0 ? `The platform ${platform} has no further settings.` : `The platform ${platform} knows ${names.join(', ')}.`,
    )
  }
}

/** Characters. A shorter secret can be guessed. */
const LEAST_SECRET = 20

/** Properties of a platform that concern the secrets of its agents. */
type Secrecy = Pick<Adapter, 'isKeyless' | 'isSecretChosen'>

const credentialsOf = (
  planning: Planning,
  { api_key, callback_secret }: AgentEntry,
  path: Path,
  { isKeyless, isSecretChosen }: Secrecy,
): Credentials | undefined => {
  if (!api_key && !isKeyless) return undefined
  const key = api_key ? variableValue(planning, api_key, [...path, 'api_key']) : ''
  const secret = callback_secret ? variableValue(planning, callback_secret, [...path, 'callback_secret']) : undefined
  if (key === undefined || (callback_secret && secret === undefined)) return undefined
  if (isSecretChosen && secret !== undefined && secret.length < LEAST_SECRET)
    planning.mistakes.add(
      [...path, 'callback_secret'],
      `The secret has fewer than ${LEAST_SECRET} characters, so it can be guessed. Choose a long random one, and set it at the platform too.`,
    )
  // Platforms sign with the bytes behind the prefix.
  if (isSecretChosen && callback_secret && secret?.startsWith('whsec_')) secretOf(planning, callback_secret, [...path, 'callback_secret'])
  return { api_key: key, callback_secret: secret ?? null }
}

const checkKeyless = ({ mistakes }: Planning, platform: string, { api_key }: AgentEntry, path: Path): void => {
  if (api_key)
    mistakes.add([...path, 'api_key'], `An agent on the platform ${platform} has no api_key: AWS knows the service by its role. Remove it.`)
}

/** @returns undefined when a mistake was recorded */
export const platformPart = (planning: Planning, entry: AgentEntry, path: Path, found: Agent | undefined): PlatformPart | undefined => {
  const { mistakes } = planning
  const { platform, assistant, from, settings, longest_call_seconds } = entry
  const name = platform ?? found?.platform?.name
  if (!name) {
    checkNames(planning, entry, path)
    return { said: undefined, seal: async (agent) => agent }
  }
  if (found && found.platform?.name !== name) {
    mistakes.add(
      [...path, 'platform'],
      'An agent cannot move to another platform: its calls would be looked up there. Declare another agent.',
    )
    return undefined
  }
  const adapter: Secrecy = adapterOf(name) ?? {}
  const isKeyless = adapter.isKeyless === true
  if (isKeyless) checkKeyless(planning, name, entry, path)
  const credentials = credentialsOf(planning, entry, path, adapter)
  if ((entry.api_key || isKeyless) && !credentials) return undefined
  const needed = isKeyless ? (['assistant', 'from'] as const) : (['assistant', 'from', 'api_key'] as const)
  const missing = found ? [] : needed.filter((each) => !entry[each])
  for (const each of missing) mistakes.add([...path, each], `An agent on the platform ${name} needs ${each}.`)
  checkSettings(planning, name, { ...found?.platform?.settings, ...settings }, path)
  if (missing.length > 0) return undefined
  const said = {
    name,
    assistant: assistant ?? undefined,
    from: from?.map((number) => (typeof number === 'string' ? { number, id: null } : { number: number.number, id: number.id ?? null })),
    settings: settings ?? undefined,
    longest_call_seconds: longest_call_seconds ?? undefined,
    credentials_hash: credentials && hashOf(credentials),
  }
  const seal = async (agent: Agent, before: Agent | undefined): Promise<Agent> => {
    if (!agent.platform) return agent
    const isSame = before?.platform?.credentials_hash === agent.platform.credentials_hash
    const kept = isSame ? before?.platform?.credentials : credentials && (await sealCredentials(agent.id, credentials))
    if (kept === undefined) throw new Error(`The credentials of the agent ${agent.id} are missing.`)
    return { ...agent, platform: { ...agent.platform, credentials: kept } }
  }
  return { said: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)), seal }
}
