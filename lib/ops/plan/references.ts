import { didYouMean } from '#shared/http/fields/nearest.ts'
import type { DeclaredUser } from '../configuration/declared.ts'
import type { Path } from '../configuration/document.ts'
import type { UserState } from '../state.ts'
import type { Ids, Planning } from './planning.ts'

/** A user of the file, and its state in the table. */
export interface Owner {
  readonly declared: DeclaredUser
  readonly state: UserState | undefined
}

const keysOf = ({ declared, state }: Owner, { keyOf }: Planning['state']): string[] => [
  ...declared.leadTypes.map(({ key }) => key),
  ...(state?.leadTypes.flatMap(({ id }) => keyOf('LEADTYPE', id) ?? []) ?? []),
]

/** Records a mistake for a lead type that the user does not have. */
export const checkLeadType = (planning: Planning, owner: Owner, said: unknown, path: Path): void => {
  if (typeof said !== 'string' && typeof said !== 'number') return
  const { state, mistakes } = planning
  const own = keysOf(owner, state)
  if (own.includes(String(said)) || owner.state?.leadTypes.some(({ id }) => id === said)) return
  const [other] = state.namesOf('LEADTYPE').find(({ keys, id }) => keys.at(-1) === said || id === said)?.keys ?? []
  const hint = didYouMean(String(said), own) || (other === undefined ? '' : ` The user ${other} has a lead type of that name.`)
  mistakes.add(path, `The user ${owner.declared.key} has no lead type ${said}.${hint}`)
}

/** Resolves a reference to an id. New ids must be known. */
export const leadTypeId = (ids: Ids, user: string, said: unknown): number | null => {
  if (typeof said === 'string') return ids.number('LEADTYPE', [user, said])
  return typeof said === 'number' ? said : null
}
