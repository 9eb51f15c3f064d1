import { randomUUID } from 'node:crypto'
import { giveName, type Name } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { nextId } from '#shared/platform/ids/ids.ts'
import { nameKey } from '#shared/platform/keys.ts'
import { OpsRefusal } from '../refusal.ts'
import type { Ids, NewName, PlannedChange, Planning } from './planning.ts'

/** Users that somebody wrote by hand may have ids that were never given. */
const newUserId = async (): Promise<number> => {
  for (;;) {
    const id = await nextId()
    if (!(await readUser(id))) return id
  }
}

const newIdOf = async (kind: Name['kind']): Promise<Name['id']> => {
  if (kind === 'URL') return randomUUID()
  return kind === 'USER' ? newUserId() : nextId()
}

/** Names first: a thing that is written before its name would be made once more by the next try. */
const giveNames = async (names: readonly NewName[], given: Name[]): Promise<void> => {
  for (const { kind, keys, id } of names) {
    const name: Name = { kind, keys, id: id ?? (await newIdOf(kind)) }
    if (!(await giveName(name))) throw new OpsRefusal(`${keys.join('/')} has just been set up by somebody else. Apply the file once more.`)
    given.push(name)
  }
}

const idsWith = (given: readonly Name[], { state }: Planning): Ids => {
  const fresh = new Map(given.map(({ kind, keys, id }) => [nameKey(kind, keys).sk, id]))
  const find = (kind: Name['kind'], keys: readonly string[]): Name['id'] => {
    const id = fresh.get(nameKey(kind, keys).sk) ?? state.idOf(kind, keys)
    if (id === undefined) throw new Error(`Nothing is called ${kind} ${keys.join('/')}.`)
    return id
  }
  return { number: (kind, keys) => Number(find(kind, keys)), text: (kind, keys) => String(find(kind, keys)) }
}

/** How far it got, to be told of also where it failed. */
export interface ApplyProgress {
  /** Names that were given. */
  readonly given: Name[]
  readonly written: PlannedChange[]
  /** Begun and not finished: it may be written, or not. */
  begun: PlannedChange | undefined
}

/** Writes what is planned, and nothing else. Cut short, it can be planned and carried out anew. */
export const applyPlan = async (planning: Planning, progress: ApplyProgress): Promise<void> => {
  await giveNames(planning.names, progress.given)
  const ids = idsWith(progress.given, planning)
  for (const { giveUp } of planning.changes) await giveUp?.()
  for (const change of planning.changes) {
    progress.begun = change
    await change.write(ids)
    progress.begun = undefined
    progress.written.push(change)
  }
}
