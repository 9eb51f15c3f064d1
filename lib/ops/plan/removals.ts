import { type Named, takeName } from '#shared/accounts/names.ts'
import { deleteAgent } from '#shared/agents/agent-store.ts'
import { didYouMean } from '#shared/http/fields/nearest.ts'
import { deleteIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { deleteSource } from '#shared/ingestion/source-store.ts'
import type { Declaration } from '../configuration/declared.ts'
import type { Path } from '../configuration/document.ts'
import type { PlannedType } from './lead-types.ts'
import type { EntityKind, Planning } from './planning.ts'

interface Removal {
  readonly kind: EntityKind
  readonly name: string
  readonly path: Path
  readonly exists: boolean
  readonly isDeclared: boolean
  /** Existing names, for suggestions. */
  readonly known: readonly string[]
  readonly write: () => Promise<unknown>
}

const planRemoval = (planning: Planning, { kind, name, path, exists, isDeclared, known, write }: Removal): void => {
  const { mistakes, changes, notes } = planning
  const isPlanned = changes.some((planned) => planned.change === 'removed' && planned.kind === kind && planned.name === name)
  if (isDeclared) mistakes.add(path, `The same file both removes and sets up the ${kind} ${name}.`)
  else if (!exists) notes.push(`There is no ${kind} ${name}. There is nothing to remove.${didYouMean(name, known)}`)
  else if (!isPlanned) changes.push({ change: 'removed', kind, name, fields: [], write })
}

const withoutName = async (kind: Named, keys: readonly string[], remove: Promise<unknown>): Promise<void> => {
  await remove
  await takeName({ kind, keys })
}

/** The parts of `acme/daily`, and the user's id; undefined when the form is wrong or the user is unknown. The mistake is recorded. */
const partsOf = ({ state, mistakes }: Planning, said: string, path: Path) => {
  const [user = '', key] = said.split('/')
  if (key === undefined) return undefined
  const id = state.idOf('USER', [user])
  if (id !== undefined) return { user, key, id: Number(id) }
  const users = state.namesOf('USER').map(({ keys }) => keys.join('/'))
  mistakes.add(path, `There is no user ${user}.${didYouMean(user, users)}`)
  return undefined
}

const planBelongings = (planning: Planning, { users, remove }: Declaration): void => {
  const { state } = planning
  const declared = (user: string) => users.find(({ key }) => key === user)
  for (const [at, said] of remove.sources) {
    const path = ['remove', 'sources', at]
    const found = partsOf(planning, said, path)
    if (!found) continue
    const { user, key, id } = found
    const known = (state.users.get(id)?.sources ?? []).map(({ name }) => `${user}/${name}`)
    const exists = known.includes(said)
    const isDeclared = declared(user)?.sources.some((source) => source.key === key) ?? false
    planRemoval(planning, { kind: 'source', name: said, path, exists, isDeclared, known, write: () => deleteSource(id, key) })
  }
  for (const [at, said] of remove.ingestion_urls) {
    const path = ['remove', 'ingestion_urls', at]
    const found = partsOf(planning, said, path)
    if (!found) continue
    const keys = [found.user, found.key]
    const id = state.idOf('URL', keys)
    const isDeclared = declared(found.user)?.urls.some(({ key }) => key === found.key) ?? false
    const known = state.namesOf('URL').map((name) => name.keys.join('/'))
    const write = () => withoutName('URL', keys, deleteIngestionUrl(String(id)))
    planRemoval(planning, { kind: 'ingestion URL', name: said, path, exists: id !== undefined, isDeclared, known, write })
  }
}

/** Plans the removals. */
export const planRemovals = (planning: Planning, declaration: Declaration, types: readonly PlannedType[]): void => {
  planBelongings(planning, declaration)
  const { state, mistakes } = planning
  const planned = new Set(types.map(({ before }) => before?.id))
  const others = [...state.users.values()].flatMap(({ key, user, leadTypes }) =>
    leadTypes
      .filter(({ id }) => !planned.has(id))
      .map(({ id, agent }) => ({ agent, name: `${key ?? user.id}/${state.keyOf('LEADTYPE', id) ?? id}` })),
  )
  const used = [...others, ...types.map(({ name, after }) => ({ name, agent: after.agent }))]
  for (const [at, agent] of declaration.remove.agents) {
    const path = ['remove', 'agents', at]
    const user = used.find((type) => type.agent === agent)
    if (user) {
      mistakes.add(path, `The lead type ${user.name} uses the agent ${agent}. Give it another agent first.`)
      continue
    }
    const isDeclared = declaration.agents.some(({ key }) => key === agent)
    const known = [...state.agents.keys()]
    const write = () => withoutName('AGENT', [agent], deleteAgent(agent))
    planRemoval(planning, { kind: 'agent', name: agent, path, exists: known.includes(agent), isDeclared, known, write })
  }
}
