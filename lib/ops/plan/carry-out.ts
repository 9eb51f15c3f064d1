import { randomUUID } from 'node:crypto'
import { giveName, type Name } from '#shared/accounts/names.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { nextId } from '#shared/platform/ids/ids.ts'
import { nameKey } from '#shared/platform/keys.ts'
import { OpsRefusal } from '../refusal.ts'
import type { Ids, NewName, PlannedChange, Planning } from './planning.ts'

/** Skips ids in use: users that were written by hand may have ids that the counter never issued. */
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

/** Gives names before anything is written. Without its name, the next run would create the entity again. */
const giveNames = async (names: readonly NewName[], given: Name[]): Promise<void> => {
  for (const { kind, keys, id } of names) {
    const name: Name = { kind, keys, id: id ?? (await newIdOf(kind)) }
    if (!(await giveName(name))) throw new OpsRefusal(`Somebody else has just set up ${keys.join('/')}. Apply the file again.`)
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

/** Progress of a run, so that a failure can report it. */
export interface ApplyProgress {
  /** Names that this run gave. */
  readonly given: Name[]
  readonly written: PlannedChange[]
  /** The change in progress: it may be written or not. */
  begun: PlannedChange | undefined
}

/** Writes exactly the plan. After an interruption, plan and apply again. */
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
