import { createHash } from 'node:crypto'
import type { Agent, Assistant } from '#shared/accounts/configuration.ts'
import { type Credentials, openCredentials, sealCredentials } from '#shared/agents/credentials.ts'
import type { Adapter } from '#shared/agents/platforms/adapter.ts'
import { now } from '#shared/platform/clock.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import type { Path } from '../configuration/document.ts'
import type { AgentEntry } from '../configuration/schema.ts'
import type { FieldChange } from './differences.ts'
import { type Planning, variableValue } from './planning.ts'

/** The secrets that an agent on a platform will have: those of the file, and the stored ones that the file does not name. */
interface PlannedCredentials {
  /** Their hash; undefined when they stay as they are. */
  readonly hash: string | undefined
  /** The change of each secret, without its value. */
  readonly fields: readonly FieldChange[]
  /** The credentials that stay valid for requests of the platform. */
  readonly former: Assistant['former']
  /** Seals them for the agent. The stored ones are not sealed again when they stay as they are. */
  readonly seal: (agent: string) => Promise<string>
}

const hashOf = (credentials: Credentials): string => createHash('sha256').update(JSON.stringify(credentials)).digest('base64url')

/** The stored secrets of an agent; undefined when there are none, or they cannot be opened. */
const stored = async (found: Agent | undefined): Promise<Credentials | undefined> => {
  if (!found?.platform) return undefined
  try {
    return await openCredentials(found.id, found.platform.credentials)
  } catch {
    return undefined
  }
}

const wordFor = (old: string | null, next: string | null): string | undefined => {
  if (old === next || (!old && !next)) return undefined
  if (!next) return 'removed'
  return old ? 'changed' : 'set'
}

const NAMES = ['api_key', 'callback_secret'] as const

/** @param before undefined when the stored secrets are not known. `seen`: a hash of them */
const changesOf = (before: Credentials | undefined, after: Credentials, seen: string | undefined): FieldChange[] =>
  NAMES.flatMap((name) => {
    const word = before ? wordFor(before[name], after[name]) : after[name] && 'changed'
    return word ? [{ field: name, old: undefined, new: word, isWord: true, ...(seen !== undefined && { seen }) }] : []
  })

const NONE: Credentials = { api_key: '', callback_secret: null }

const unchanged = ({ credentials, former }: Assistant): PlannedCredentials => ({
  hash: undefined,
  fields: [],
  former,
  seal: async () => credentials,
})

/** How long the former secrets stay valid for requests of the platform: longer than any call. */
const OVERLAP = 5 * HOUR

/** The secrets in the file. `null`: it removes the secret. */
type Given = Readonly<Partial<Record<(typeof NAMES)[number], string | null>>>

/** @returns undefined when a mistake was recorded */
const givenIn = (planning: Planning, entry: AgentEntry, path: Path): Given | undefined => {
  const read = NAMES.flatMap((name) => {
    const said = entry[name]
    if (said === undefined) return []
    return [{ name, value: said === null ? null : variableValue(planning, said, [...path, name]) }]
  })
  if (read.some(({ value }) => value === undefined)) return undefined
  return Object.fromEntries(read.map(({ name, value }) => [name, value]))
}

const NOT_OPENED = 'The stored secrets of the agent could not be opened, so none of them can be kept.'

/**
 * Each secret that the file does not name stays as it is, so the stored ones are opened when the file names one.
 * @returns undefined when a mistake was recorded
 */
export const plannedCredentials = async (
  planning: Planning,
  entry: AgentEntry,
  path: Path,
  { found, adapter }: { readonly found: Agent | undefined; readonly adapter: Adapter },
): Promise<PlannedCredentials | undefined> => {
  const platform = found?.platform
  const given = givenIn(planning, entry, path)
  if (!given) return undefined
  if (Object.keys(given).length === 0 && platform) return unchanged(platform)
  const form = adapter.callbackSecret
  if (form && given.callback_secret && !form.pattern.test(given.callback_secret))
    planning.mistakes.add([...path, 'callback_secret'], form.rule)
  const before = found ? await stored(found) : NONE
  const needed = NAMES.filter((name) => (name === 'api_key' ? !adapter.isKeyless : adapter.callbackSecret !== null))
  if (!before && needed.some((name) => given[name] === undefined)) {
    planning.mistakes.add(path, `${NOT_OPENED} Give ${needed.join(' and ')} together.`)
    return undefined
  }
  const { api_key, callback_secret } = { ...before, ...given }
  const credentials = { api_key: api_key ?? '', callback_secret: callback_secret ?? null }
  const fields = changesOf(before, credentials, platform?.credentials_hash)
  if (platform && fields.length === 0) return unchanged(platform)
  const former = platform && { credentials: platform.credentials, until: now() + OVERLAP }
  return { hash: hashOf(credentials), fields, former, seal: (agent) => sealCredentials(agent, credentials) }
}
