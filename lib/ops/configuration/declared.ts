import * as v from 'valibot'
import type { Mistakes, Path } from './mistakes.ts'
import { AgentEntry, ConfigurationFile, GroupEntry, LeadTypeEntry, SourceEntry, UrlEntry, UserEntry } from './schema.ts'
import { findUnknownKeys } from './unknown-keys.ts'

/** A thing that the file names. */
export interface Declared<E> {
  readonly path: Path
  readonly key: string
  /** Undefined when something is wrong with it, which has been told. */
  readonly entry: E | undefined
}

export interface DeclaredUser extends Declared<UserEntry> {
  readonly leadTypes: readonly Declared<LeadTypeEntry>[]
  readonly sources: readonly Declared<SourceEntry>[]
  readonly urls: readonly Declared<UrlEntry>[]
}

type Rest = Pick<v.InferOutput<typeof ConfigurationFile>, 'litigators' | 'emergencies' | 'remove'>

export interface Declaration extends Rest {
  readonly groups: readonly Declared<v.InferOutput<typeof GroupEntry>>[]
  readonly agents: readonly Declared<AgentEntry>[]
  readonly users: readonly DeclaredUser[]
}

const Dictionary = v.fallback(v.record(v.string(), v.unknown()), {})
const List = v.fallback(v.array(v.unknown()), [])

type Entry = v.ObjectSchema<{ readonly key: v.GenericSchema<unknown, string> } & v.ObjectEntries, undefined>

/** The things of one list that have a key. */
const declaredIn = <S extends Entry>(
  list: unknown,
  path: Path,
  Entry: S,
  mistakes: Mistakes,
): (Declared<v.InferOutput<S>> & { value: unknown })[] => {
  const seen = new Set<string>()
  return v.parse(List, list).flatMap((value, at) => {
    const own = [...path, at]
    const key = v.safeParse(Entry.entries.key, v.parse(Dictionary, value)['key'])
    if (!key.success) return []
    if (seen.has(key.output)) mistakes.add([...own, 'key'], `The key ${key.output} stands in this list before.`)
    seen.add(key.output)
    const entry = v.safeParse(Entry, value)
    return [{ path: own, key: key.output, entry: entry.success ? entry.output : undefined, value }]
  })
}

/** @returns what is well-formed of a part of the file */
const part = <S extends v.GenericSchema>(Part: S, value: unknown): v.InferOutput<S> | undefined => {
  const read = v.safeParse(Part, value)
  return read.success ? read.output : undefined
}

/** What a file declares; what is malformed in it has been told. */
export const readDeclaration = (root: unknown, mistakes: Mistakes): Declaration => {
  mistakes.addIssues(v.safeParse(ConfigurationFile, root).issues ?? [])
  findUnknownKeys(ConfigurationFile, root, mistakes)
  const file = v.parse(Dictionary, root)
  const { litigators, emergencies, remove } = ConfigurationFile.entries
  return {
    groups: declaredIn(file['dnc_groups'], ['dnc_groups'], GroupEntry, mistakes),
    agents: declaredIn(file['agents'], ['agents'], AgentEntry, mistakes),
    users: declaredIn(file['users'], ['users'], UserEntry, mistakes).map(({ value, ...user }) => {
      const below = v.parse(Dictionary, value)
      return {
        ...user,
        leadTypes: declaredIn(below['lead_types'], [...user.path, 'lead_types'], LeadTypeEntry, mistakes),
        sources: declaredIn(below['sources'], [...user.path, 'sources'], SourceEntry, mistakes),
        urls: declaredIn(below['ingestion_urls'], [...user.path, 'ingestion_urls'], UrlEntry, mistakes),
      }
    }),
    litigators: part(litigators, file['litigators']),
    emergencies: part(emergencies, file['emergencies']),
    remove: part(remove, file['remove']),
  }
}
