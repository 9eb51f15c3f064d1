import type { Agent } from '#shared/accounts/configuration.ts'
import type { Adapter, PlatformSetting } from '#shared/agents/platforms/adapter.ts'
import { adapterOf } from '#shared/agents/platforms/adapters.ts'
import { didYouMean } from '#shared/http/fields/nearest.ts'
import type { Path } from '../configuration/document.ts'
import type { AgentEntry } from '../configuration/schema.ts'
import type { View } from '../listings/views.ts'
import { plannedCredentials } from './credentials.ts'
import type { FieldChange } from './differences.ts'
import type { Planning } from './planning.ts'

/** Settings of a file that only an agent on a platform has. */
const ONLY_ON_PLATFORMS = ['assistant', 'from', 'api_key', 'callback_secret', 'settings', 'longest_call_seconds'] as const

/** An agent's settings in a file, as far as they concern its platform. */
export interface PlatformPart {
  /** Undefined: the agent speaks our own protocol. */
  readonly said: View | undefined
  /** Changes of its secrets, without values. */
  readonly secrets: readonly FieldChange[]
  /** Adds the sealed secrets. */
  readonly seal: (agent: Agent) => Promise<Agent>
}

const checkNames = ({ mistakes }: Planning, entry: AgentEntry, path: Path): void => {
  const [name] = ONLY_ON_PLATFORMS.filter((each) => entry[each] !== undefined)
  if (name) mistakes.add([...path, name], 'Only an agent on a voice platform has this setting. Add `platform`, or remove it.')
}

/** Why a setting does not take a value. */
const wrongValue = ({ values, form }: PlatformSetting, value: string): string | undefined => {
  if (values && !values.includes(value)) return `${value || 'nothing'} is not one of: ${values.join(', ')}.${didYouMean(value, values)}`
  return form && !form.pattern.test(value) ? form.rule : undefined
}

const unknownSetting = (platform: string, name: string, names: readonly string[]): string =>
  `There is no setting ${name} of ${platform}.${didYouMean(name, names) || ` The known settings are: ${names.join(', ')}.`}`

const checkSettings = ({ mistakes }: Planning, platform: string, settings: Readonly<Record<string, string>>, path: Path): void => {
  const known = adapterOf(platform)?.settings ?? {}
  for (const [name, { about, isOptional }] of Object.entries(known))
    if (!settings[name] && !isOptional) mistakes.add([...path, 'settings'], `The platform ${platform} needs the setting ${name}: ${about}`)
  for (const [name, value] of Object.entries(settings)) {
    const setting = Object.hasOwn(known, name) ? known[name] : undefined
    const wrong = setting ? wrongValue(setting, value) : unknownSetting(platform, name, Object.keys(known))
    if (wrong) mistakes.add([...path, 'settings', name], wrong, setting ? 'value' : 'key')
  }
}

const checkKeyless = ({ mistakes }: Planning, platform: string, { api_key }: AgentEntry, path: Path): void => {
  if (api_key)
    mistakes.add([...path, 'api_key'], `An agent on the platform ${platform} has no api_key: AWS knows the service by its role. Remove it.`)
}

/** Refuses numbers that are there twice, and numbers without the id that the platform needs. */
const checkNumbers = ({ mistakes }: Planning, platform: string, { from }: AgentEntry, path: Path, needsId: boolean): void => {
  const numbers = (from ?? []).map((entry) => (typeof entry === 'string' ? { number: entry, id: undefined } : entry))
  for (const [at, { number, id }] of numbers.entries()) {
    if (numbers.findIndex((other) => other.number === number) < at) mistakes.add([...path, 'from', at], 'This number is in the list twice.')
    else if (needsId && !id)
      mistakes.add([...path, 'from', at], `The platform ${platform} needs its own id of the number: { number: "${number}", id: … }.`)
  }
}

const checkUnused = (
  { mistakes }: Planning,
  platform: string,
  { callback_secret, secrets }: AgentEntry,
  path: Path,
  adapter: Adapter,
): void => {
  if (callback_secret && adapter.callbackSecret === null)
    mistakes.add(
      [...path, 'callback_secret'],
      `An agent on the platform ${platform} has no callback_secret: its api_key verifies the reports. Remove it.`,
    )
  if (secrets)
    mistakes.add(
      [...path, 'secrets'],
      'Only an agent with our own protocol has `secrets`. Remove it; api_key and callback_secret are the secrets here.',
    )
}

/** The stored settings with those of the file. `null` removes a setting. */
const settingsOf = ({ settings: said }: AgentEntry, stored: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  if (said === null) return {}
  return Object.fromEntries(Object.entries({ ...stored, ...said }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

/** @returns undefined when a mistake was recorded */
export const platformPart = async (
  planning: Planning,
  entry: AgentEntry,
  path: Path,
  found: Agent | undefined,
): Promise<PlatformPart | undefined> => {
  const { mistakes } = planning
  const { assistant, from, longest_call_seconds } = entry
  const name = entry.platform ?? found?.platform?.name
  if (!name) {
    checkNames(planning, entry, path)
    return { said: undefined, secrets: [], seal: async (agent) => agent }
  }
  const adapter = adapterOf(name)
  if (found && found.platform?.name !== name) {
    mistakes.add(
      [...path, 'platform'],
      'An agent cannot move to another platform: its calls would be looked up there. Declare another agent.',
    )
    return undefined
  }
  if (!adapter) {
    mistakes.add(path, `This version does not know the platform ${name} of the agent.`)
    return undefined
  }
  if (adapter.isKeyless) checkKeyless(planning, name, entry, path)
  const needed = adapter.isKeyless ? (['assistant', 'from'] as const) : (['assistant', 'from', 'api_key'] as const)
  const missing = needed.filter((each) => (found ? entry[each] === null : !entry[each]))
  for (const each of missing) mistakes.add([...path, each], `An agent on the platform ${name} needs ${each}.`)
  if (assistant && adapter.assistantForm && !adapter.assistantForm.pattern.test(assistant))
    mistakes.add([...path, 'assistant'], adapter.assistantForm.rule)
  checkNumbers(planning, name, entry, path, adapter.needsNumberId === true)
  checkUnused(planning, name, entry, path, adapter)
  const settings = settingsOf(entry, found?.platform?.settings)
  checkSettings(planning, name, settings, path)
  const credentials = await plannedCredentials(planning, entry, path, { found, adapter })
  if (missing.length > 0 || !credentials) return undefined
  const said = {
    name,
    settings,
    ...(assistant && { assistant }),
    ...(from && {
      from: from.map((number) => (typeof number === 'string' ? { number, id: null } : { number: number.number, id: number.id ?? null })),
    }),
    ...(longest_call_seconds !== undefined && { longest_call_seconds: longest_call_seconds ?? undefined }),
    ...(credentials.hash !== undefined && { credentials_hash: credentials.hash }),
  }
  const seal = async (agent: Agent): Promise<Agent> => {
    if (!agent.platform) return agent
    const { former } = credentials
    return { ...agent, platform: { ...agent.platform, credentials: await credentials.seal(agent.id), ...(former && { former }) } }
  }
  return { said, secrets: credentials.fields, seal }
}
