import type { Name, Named } from '#shared/accounts/names.ts'
import { addressRefusal } from '#shared/platform/safe-fetch/guarded-post.ts'
import type { Path } from '../configuration/document.ts'
import type { Mistakes } from '../configuration/mistakes.ts'
import type { View } from '../listings/views.ts'
import type { State } from '../state.ts'
import { differences, type FieldChange, merged } from './differences.ts'

/** `whsec_` and 24 to 64 bytes in base64. */
const SECRET = /^whsec_(?=.{32,88}$)[A-Za-z0-9+/]+={0,2}$/

/** The value of an environment variable; undefined when it is not set. The mistake is recorded. @param said `${NAME}` */
export const variableValue = ({ environment, mistakes }: Planning, said: string, path: Path): string | undefined => {
  const name = said.slice(2, -1)
  const value = environment[name]
  if (value) return value
  mistakes.add(path, `The environment variable ${name} is ${value === '' ? 'empty' : 'not set'}.`)
  return undefined
}

/** The secret in an environment variable; undefined when it is not valid. The mistake is recorded. @param said `${NAME}` */
export const secretOf = (planning: Planning, said: string, path: Path): string | undefined => {
  const value = variableValue(planning, said, path)
  if (value === undefined || SECRET.test(value)) return value
  const name = said.slice(2, -1)
  planning.mistakes.add(path, `The environment variable ${name} is not a Standard Webhooks secret: whsec_ and 24 to 64 bytes in base64.`)
  return undefined
}

/** Ids by name. New entities are included once they have an id. */
export interface Ids {
  number(kind: 'USER' | 'LEADTYPE', keys: readonly string[]): number
  text(kind: 'URL', keys: readonly string[]): string
}

export type EntityKind = 'DNC group' | 'agent' | 'user' | 'lead type' | 'source' | 'ingestion URL' | 'litigators' | 'emergencies'

export interface PlannedChange {
  readonly change: 'new' | 'changed' | 'removed'
  readonly kind: EntityKind
  /** `acme/solar`. */
  readonly name: string
  readonly fields: readonly FieldChange[]
  /** Gives up what another entity takes over. It runs before all writes. */
  readonly giveUp?: () => Promise<void>
  readonly write: (ids: Ids) => Promise<unknown>
}

/** The name of an entity in the operator's file, which the plan assigns to an id. Without `id`, a new id is made. */
export type NewName = Omit<Name, 'id'> & { readonly id?: Name['id'] | undefined }

/** A secret of a new entity, or the first one of an existing entity. `of`: what it is for. */
export interface MadeSecret extends Pick<PlannedChange, 'kind' | 'name'> {
  readonly of: string
  readonly secret: string
}

export interface Planning {
  readonly state: State
  readonly mistakes: Mistakes
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly changes: PlannedChange[]
  readonly names: NewName[]
  /** Secrets that the plan made. They are shown once they are stored. */
  readonly secrets: MadeSecret[]
  /** Remarks that change nothing. */
  readonly notes: string[]
  unchanged: number
}

interface Thing extends Pick<PlannedChange, 'kind' | 'name'> {
  readonly path: Path
  readonly before: View | undefined
  /** Its settings in the file. */
  readonly said: View
  /** Parses the whole entity, or tells why it is invalid. */
  readonly complete: (whole: View) => Completed
}

/** The result of `v.safeParse`. */
export type Completed =
  | { readonly view: View; readonly issues?: undefined }
  | { readonly view?: undefined; readonly issues: Parameters<Mistakes['addIssues']>[0] }

/** The entity after the change; undefined when it would be invalid. Mistakes are recorded. */
export const desired = ({ mistakes }: Planning, { path, before, said, complete }: Thing): View | undefined => {
  const { view, issues } = complete(merged(before ?? {}, said))
  if (issues) mistakes.addIssues(issues, path)
  return view
}

interface Outcome extends Pick<Thing, 'kind' | 'name' | 'before' | 'said'>, Pick<PlannedChange, 'write' | 'giveUp'> {
  readonly after: View
  /** Changes that the two views do not show. */
  readonly more?: readonly FieldChange[]
  /** Whether this plan gives the entity its name. */
  readonly isNamed: boolean
}

/** Records a mistake for an address that is never allowed. @param url undefined or null when the file has none */
export const checkAddress = ({ mistakes }: Planning, url: string | null | undefined, path: Path): void => {
  const refusal = url && addressRefusal(new URL(url))
  if (refusal) mistakes.add(path, refusal)
}

/** Adds the change to the plan, if there is one. */
export const note = (planning: Planning, { kind, name, before, said, after, more = [], isNamed, ...acts }: Outcome): void => {
  const all = differences(before ?? {}, after)
  // For a new entity, show only the settings of the file. The others are defaults.
  const named = before ? all : all.filter(({ field }) => field.split(/[.[]/, 1).some((top) => said[top] !== undefined))
  const fields = [...named, ...more]
  if (before && fields.length === 0 && !isNamed) planning.unchanged += 1
  else planning.changes.push({ change: before ? 'changed' : 'new', kind, name, fields, ...acts })
}

/**
 * The id of an entity: the known one, or the one in the file. A new name is added to the plan.
 * @param exists whether there is an entity with that id that may get the name
 */
export const nameFor = (
  planning: Planning,
  {
    kind,
    keys,
    path,
    said,
    exists,
  }: { kind: Named; keys: readonly string[]; path: Path; said: Name['id'] | null | undefined; exists: boolean },
): Name['id'] | undefined => {
  const { state, mistakes, names } = planning
  const known = state.idOf(kind, keys)
  const wanted = said ?? undefined
  const at = [...path, 'id']
  if (known !== undefined) {
    if (wanted !== undefined && wanted !== known) mistakes.add(at, `${keys.join('/')} already has the id ${known}, which cannot change.`)
    return known
  }
  const other = wanted === undefined ? undefined : state.keyOf(kind, wanted)
  if (wanted !== undefined && !exists) mistakes.add(at, `There is nothing with the id ${wanted} that can get the key ${keys.join('/')}.`)
  else if (other !== undefined) mistakes.add(at, `The id ${wanted} belongs to the key ${other}.`)
  names.push({ kind, keys, id: wanted })
  return wanted
}
