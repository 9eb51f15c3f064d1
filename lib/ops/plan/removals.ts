import { type Named, takeName } from '#shared/accounts/names.ts'
import { deleteAgent } from '#shared/agents/agent-store.ts'
import { mayHaveOtherAgent } from '#shared/backlog/marks.ts'
import { didYouMean } from '#shared/http/fields/nearest.ts'
import { deleteIngestionUrl } from '#shared/ingestion/ingestion-url-store.ts'
import { deleteSource } from '#shared/ingestion/source-store.ts'
import type { Declaration } from '../configuration/declared.ts'
import type { Path } from '../configuration/document.ts'
import { openCallsOf } from '../leads/open-calls.ts'
import { counted } from '../output.ts'
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

/** Why an agent cannot be removed because of calls that go on or may still begin; undefined when there are none. */
const openCalls = async (agent: string): Promise<string | undefined> => {
  const count = await openCallsOf(agent)
  if (count === 0 && (await mayHaveOtherAgent(agent)))
    return `A lead type has just left the agent ${agent}, so calls of it may still begin. Remove the agent in a few minutes.`
  if (count === 0) return undefined
  const calls = counted(count, 'call that is not over', 'calls that are not over')
  return [
    `The agent ${agent} has ${calls}, and without the agent a stop in such a call is lost.`,
    'Remove the agent when they are over: it gets no more calls, because no lead type uses it.',
  ].join(' ')
}

interface Use {
  readonly name: string
  readonly agent: string
}

/** The lead types that use agents. `before`: those of the file, before it is applied. */
const usesOf = ({ state }: Planning, types: readonly PlannedType[]) => {
  const planned = new Set(types.map(({ before }) => before?.id))
  const others: Use[] = [...state.users.values()].flatMap(({ key, user, leadTypes }) =>
    leadTypes
      .filter(({ id }) => !planned.has(id))
      .map(({ id, agent }) => ({ agent, name: `${key ?? user.id}/${state.keyOf('LEADTYPE', id) ?? id}` })),
  )
  const before = types.flatMap<Use>(({ name, before: type }) => (type ? [{ name, agent: type.agent }] : []))
  return { before, after: [...others, ...types.map<Use>(({ name, after }) => ({ name, agent: after.agent }))] }
}

/** Plans the removals. */
export const planRemovals = async (planning: Planning, declaration: Declaration, types: readonly PlannedType[]): Promise<void> => {
  planBelongings(planning, declaration)
  const { state, mistakes } = planning
  const { before, after } = usesOf(planning, types)
  const known = [...state.agents.keys()]
  for (const [at, agent] of declaration.remove.agents) {
    const path = ['remove', 'agents', at]
    const write = () => withoutName('AGENT', [agent], deleteAgent(agent))
    const user = after.find((type) => type.agent === agent)
    const former = before.find((type) => type.agent === agent)
    const exists = known.includes(agent)
    const isDeclared = declaration.agents.some(({ key }) => key === agent)
    const refusal = exists && !user && !former && !isDeclared ? await openCalls(agent) : undefined
    if (user) mistakes.add(path, `The lead type ${user.name} uses the agent ${agent}. Give it another agent first.`)
    else if (former)
      mistakes.add(path, `The lead type ${former.name} uses the agent ${agent} until this file is applied. Remove the agent afterwards.`)
    else if (refusal !== undefined) mistakes.add(path, refusal)
    else planRemoval(planning, { kind: 'agent', name: agent, path, exists, isDeclared, known, write })
  }
}
