import type { Name, Named } from '#shared/accounts/names.ts'
import { addressRefusal } from '#shared/platform/safe-fetch/guarded-post.ts'
import type { Mistakes, Path } from '../configuration/mistakes.ts'
import { differences, type FieldChange, merged } from '../differences.ts'
import type { State } from '../state.ts'
import type { View } from '../views.ts'

/** Ids of things by their names: of new ones too, once they have them. */
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
  /** What others take over has to be given up before. */
  readonly giveUp?: () => Promise<void>
  readonly write: (ids: Ids) => Promise<unknown>
}

/** A name that is to be given. `id`: undefined, a new one. */
export type NewName = Omit<Name, 'id'> & { readonly id?: Name['id'] | undefined }

/** Of a new thing, or of one that gets its first. `of`: what it is for. */
export interface MadeSecret extends Pick<PlannedChange, 'kind' | 'name'> {
  readonly of: string
  readonly secret: string
}

/** A plan in the making. */
export interface Planning {
  readonly state: State
  readonly mistakes: Mistakes
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly changes: PlannedChange[]
  readonly names: NewName[]
  /** Those that were made, to be shown once they are stored. */
  readonly secrets: MadeSecret[]
  /** Of no consequence, and worth a word. */
  readonly notes: string[]
  unchanged: number
}

interface Thing extends Pick<PlannedChange, 'kind' | 'name'> {
  readonly path: Path
  readonly before: View | undefined
  /** What the file says of it. */
  readonly said: View
  /** The whole thing, or why it is none. */
  readonly complete: (whole: View) => Completed
}

/** Of `v.safeParse`. */
export type Completed =
  | { readonly view: View; readonly issues?: undefined }
  | { readonly view?: undefined; readonly issues: Parameters<Mistakes['addIssues']>[0] }

/** What a thing is to become; undefined when that is none, which has been told. */
export const desired = ({ mistakes }: Planning, { path, before, said, complete }: Thing): View | undefined => {
  const { view, issues } = complete(merged(before ?? {}, said))
  if (issues) mistakes.addIssues(issues, path)
  return view
}

interface Outcome extends Pick<Thing, 'kind' | 'name' | 'before' | 'said'>, Pick<PlannedChange, 'write' | 'giveUp'> {
  readonly after: View
  /** Whether it gets its name now. */
  readonly isNamed: boolean
}

/** Tells of an address that can never be asked. @param url undefined, or null: none is said */
export const checkAddress = ({ mistakes }: Planning, url: string | null | undefined, path: Path): void => {
  const refusal = url && addressRefusal(new URL(url))
  if (refusal) mistakes.add(path, refusal)
}

/** Notes what is to be done, if anything. */
export const note = (planning: Planning, { kind, name, before, said, after, isNamed, ...acts }: Outcome): void => {
  const all = differences(before ?? {}, after)
  // Of a new thing, what the file says of it; the rest is as ever.
  const fields = before ? all : all.filter(({ field }) => field.split(/[.[]/, 1).some((top) => said[top] !== undefined))
  if (before && fields.length === 0 && !isNamed) planning.unchanged += 1
  else planning.changes.push({ change: before ? 'changed' : 'new', kind, name, fields, ...acts })
}

/**
 * The id that a thing has or is said to have. Where the name is new, it is noted to be given.
 * @param exists whether there is something of that id that may be called so
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
    if (wanted !== undefined && wanted !== known) mistakes.add(at, `${keys.join('/')} has the id ${known}, and keeps it.`)
    return known
  }
  const other = wanted === undefined ? undefined : state.keyOf(kind, wanted)
  if (wanted !== undefined && !exists) mistakes.add(at, `There is nothing of the id ${wanted} to be called ${keys.join('/')}.`)
  else if (other !== undefined) mistakes.add(at, `What has the id ${wanted} is called ${other} already.`)
  names.push({ kind, keys, id: wanted })
  return wanted
}
