import type { Agent, LeadType, User } from '#shared/accounts/configuration.ts'
import { leadTypesOf } from '#shared/accounts/lead-type-store.ts'
import { allNames, type Name, type Named } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { readAgent } from '#shared/agents/agent-store.ts'
import { readEmergencies } from '#shared/backlog/emergency-store.ts'
import type { IngestionUrl, Source } from '#shared/ingestion/ingestion.ts'
import { readIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { sourcesOf } from '#shared/ingestion/source-store.ts'
import { nameKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'

/** A user with lead types and sources. */
export interface UserState {
  /** The operators' name for the user; undefined when it has none yet. */
  readonly key: string | undefined
  readonly user: User
  readonly leadTypes: readonly LeadType[]
  readonly sources: readonly Source[]
}

/** The configuration in the table. */
export interface State {
  readonly users: ReadonlyMap<number, UserState>
  /** Agents with a name, agents of the users' lead types, and agents that were asked for. */
  readonly agents: ReadonlyMap<string, Agent>
  readonly urls: ReadonlyMap<string, IngestionUrl>
  readonly groups: ReadonlySet<string>
  readonly emergencies: readonly string[]
  /** The id behind a name. */
  idOf(kind: Named, keys: readonly string[]): Name['id'] | undefined
  /** The last part of an entity's name: `solar` of `acme/solar`. */
  keyOf(kind: Named, id: Name['id']): string | undefined
  namesOf(kind: Named): readonly Name[]
}

/** Parallel reads. */
const WIDTH = 20

const present = <T>(found: readonly (T | undefined)[]): T[] => found.flatMap((item) => (item === undefined ? [] : [item]))

/** Ids to read in addition, although they have no name yet. */
export interface AlsoRead {
  readonly users?: readonly number[]
  readonly agents?: readonly string[]
  readonly urls?: readonly string[]
}

const newLookUp = (names: readonly Name[]) => {
  const idsByKey = new Map(names.map(({ kind, keys, id }) => [nameKey(kind, keys).sk, id]))
  const keysById = new Map(names.map(({ kind, keys, id }) => [`${kind}#${id}`, keys.at(-1)]))
  return {
    idOf: (kind: Named, keys: readonly string[]) => idsByKey.get(nameKey(kind, keys).sk),
    keyOf: (kind: Named, id: Name['id']) => keysById.get(`${kind}#${id}`),
    namesOf: (kind: Named) => names.filter((name) => name.kind === kind),
  }
}

const readUserState = async (id: number, key: string | undefined): Promise<UserState | undefined> => {
  const [user, leadTypes, sources] = await Promise.all([readUser(id), leadTypesOf(id), sourcesOf(id)])
  return user && { key, user, leadTypes: leadTypes.toReversed(), sources }
}

/** Reads all named entities and those in `beside`. Each item is strongly consistent; the whole is not. */
export const readConfigurationState = async (beside: AlsoRead = {}): Promise<State> => {
  const lookUp = newLookUp(await allNames())
  const { keyOf, namesOf } = lookUp
  const idsOf = (kind: Named): Name['id'][] => namesOf(kind).map(({ id }) => id)
  const userIds = new Set([...idsOf('USER').map(Number), ...(beside.users ?? [])])
  const users = present(await inLanes(WIDTH, userIds, (id) => readUserState(id, keyOf('USER', id))))
  const agentsOfTypes = users.flatMap(({ leadTypes }) => leadTypes.map(({ agent }) => agent))
  const agentIds = new Set([...idsOf('AGENT').map(String), ...agentsOfTypes, ...(beside.agents ?? [])])
  const urlIds = new Set([...idsOf('URL').map(String), ...(beside.urls ?? [])])
  const [agents, urls, emergencies] = await Promise.all([
    inLanes(WIDTH, agentIds, readAgent),
    inLanes(WIDTH, urlIds, readIngestionUrl),
    readEmergencies(),
  ])
  return {
    ...lookUp,
    users: new Map(users.map((state) => [state.user.id, state])),
    agents: new Map(present(agents).map((agent) => [agent.id, agent])),
    urls: new Map(present(urls).map((url) => [url.id, url])),
    groups: new Set([...idsOf('DNCGROUP').map(String), ...users.map(({ user }) => user.dnc_group)]),
    emergencies: [...emergencies].sort(),
  }
}
