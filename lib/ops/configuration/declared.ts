import * as v from 'valibot'
import type { Path } from './document.ts'
import type { Mistakes } from './mistakes.ts'
import { AgentEntry, ConfigurationFile, GroupEntry, LeadTypeEntry, SourceEntry, UrlEntry, UserEntry } from './schema.ts'
import { findUnknownKeys } from './unknown-keys.ts'

/** An entry of the file that has a key. */
export interface Declared<E> {
  readonly path: Path
  readonly key: string
  /** The raw value, valid or not. */
  readonly said: Readonly<Record<string, unknown>>
  /** Undefined when the value is invalid. The mistake is recorded. */
  readonly entry: E | undefined
}

export interface DeclaredUser extends Declared<UserEntry> {
  readonly leadTypes: readonly Declared<LeadTypeEntry>[]
  readonly sources: readonly Declared<SourceEntry>[]
  readonly urls: readonly Declared<UrlEntry>[]
}

/** Texts of a list, with their indexes. */
export type Texts = readonly (readonly [at: number, text: string])[]

export interface Declaration {
  readonly groups: readonly Declared<v.InferOutput<typeof GroupEntry>>[]
  readonly agents: readonly Declared<AgentEntry>[]
  readonly users: readonly DeclaredUser[]
  readonly litigators: { readonly file: string | undefined; readonly add: Texts }
  /** Undefined: emergencies stay as they are. */
  readonly emergencies: Texts | undefined
  readonly remove: { readonly sources: Texts; readonly ingestion_urls: Texts; readonly agents: Texts; readonly litigators: Texts }
}

const Dictionary = v.fallback(v.record(v.string(), v.unknown()), {})
const List = v.fallback(v.array(v.unknown()), [])

type Entry = v.ObjectSchema<{ readonly key: v.GenericSchema<unknown, string> } & v.ObjectEntries, undefined>

/** Bytes of one entry as JSON. An item of the table holds 400 KB, and each dial reads several of these. */
export const MOST_CONFIGURATION_BYTES = 100_000
/** Lists whose entries are counted by themselves. */
const BELOW = ['lead_types', 'sources', 'ingestion_urls']

const bytesOf = (said: Readonly<Record<string, unknown>>): number => {
  const own = Object.entries(said).filter(([name]) => !BELOW.includes(name))
  return Buffer.byteLength(JSON.stringify(own))
}

/** The entries of one list that have a key. */
const declaredIn = <S extends Entry>(list: unknown, path: Path, Entry: S, mistakes: Mistakes): Declared<v.InferOutput<S>>[] => {
  const seen = new Set<string>()
  return v.parse(List, list).flatMap((value, at) => {
    const own = [...path, at]
    const said = v.parse(Dictionary, value)
    const key = v.safeParse(Entry.entries.key, said['key'])
    if (!key.success) return []
    if (seen.has(key.output)) mistakes.add([...own, 'key'], `The key ${key.output} is already in this list.`)
    seen.add(key.output)
    if (bytesOf(said) > MOST_CONFIGURATION_BYTES)
      mistakes.add(own, `This entry is too long: at most ${MOST_CONFIGURATION_BYTES} bytes are allowed.`)
    const entry = v.safeParse(Entry, value)
    return [{ path: own, key: key.output, said, entry: entry.success ? entry.output : undefined }]
  })
}

const textsOf = (list: unknown): Texts => v.parse(List, list).flatMap((text, at) => (typeof text === 'string' ? [[at, text] as const] : []))

/** The declarations of a file. Mistakes are recorded in `mistakes`. */
export const readDeclaration = (root: unknown, mistakes: Mistakes): Declaration => {
  mistakes.addIssues(v.safeParse(ConfigurationFile, root).issues ?? [])
  findUnknownKeys(ConfigurationFile, root, mistakes)
  const file = v.parse(Dictionary, root)
  const litigators = v.parse(Dictionary, file['litigators'])
  const remove = v.parse(Dictionary, file['remove'])
  return {
    groups: declaredIn(file['dnc_groups'], ['dnc_groups'], GroupEntry, mistakes),
    agents: declaredIn(file['agents'], ['agents'], AgentEntry, mistakes),
    users: declaredIn(file['users'], ['users'], UserEntry, mistakes).map((user) => {
      const below = user.said
      return {
        ...user,
        leadTypes: declaredIn(below['lead_types'], [...user.path, 'lead_types'], LeadTypeEntry, mistakes),
        sources: declaredIn(below['sources'], [...user.path, 'sources'], SourceEntry, mistakes),
        urls: declaredIn(below['ingestion_urls'], [...user.path, 'ingestion_urls'], UrlEntry, mistakes),
      }
    }),
    litigators: { file: typeof litigators['file'] === 'string' ? litigators['file'] : undefined, add: textsOf(litigators['add']) },
    emergencies: file['emergencies'] === undefined ? undefined : textsOf(file['emergencies']),
    remove: {
      sources: textsOf(remove['sources']),
      ingestion_urls: textsOf(remove['ingestion_urls']),
      agents: textsOf(remove['agents']),
      litigators: textsOf(remove['litigators']),
    },
  }
}
