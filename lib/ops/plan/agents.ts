import * as v from 'valibot'
import { Agent, Assistant } from '#shared/accounts/configuration.ts'
import { newWebhookSecret } from '#shared/accounts/webhook-secret.ts'
import { makeAgent, saveAgent } from '#shared/agents/agent-store.ts'
import { adapterOf } from '#shared/agents/platforms/adapters.ts'
import { withoutEnd } from '../../without-end.ts'
import type { Declared } from '../configuration/declared.ts'
import type { AgentEntry } from '../configuration/schema.ts'
import { agentView, type View } from '../listings/views.ts'
import { OpsRefusal } from '../refusal.ts'
import { type Completed, checkAddress, desired, note, type Planning, secretOf } from './planning.ts'
import { platformPart } from './platforms.ts'

/** The agent of a view, which lacks the sealed credentials. */
const readView = (id: string, { platform, ...rest }: View) =>
  v.safeParse(Agent, { ...rest, id, ...(platform !== undefined && { platform: { ...Object(platform), credentials: '' } }) })

const complete =
  (id: string) =>
  (whole: View): Completed => {
    const read = readView(id, whole)
    return read.success ? { view: agentView(read.output) } : { issues: read.issues }
  }

/** An agent's settings by the names that a file uses. The secrets of a platform are left out. */
const shown = ({ platform, secrets, ...rest }: View): View => {
  const read = v.safeParse(v.omit(Assistant, ['credentials']), platform)
  if (!read.success) return { ...rest, secrets }
  const { name, from, settings, credentials_hash: _, ...others } = read.output
  return {
    ...rest,
    platform: name,
    from: from.map(({ number, id }) => (id === null ? number : `${number} (${id})`)),
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`settings.${key}`, value])),
    ...others,
  }
}

/** Never overwrites an agent that somebody else has just created: it has its own secret. */
const makeOnce = async (agent: Agent): Promise<void> => {
  if (await makeAgent(agent)) return
  throw new OpsRefusal(`Somebody else has just set up the agent ${agent.id}. Apply the file again.`)
}

export const planAgents = async (planning: Planning, agents: readonly Declared<AgentEntry>[]): Promise<void> => {
  const { state } = planning
  for (const { key, entry, path } of agents) {
    if (!entry) continue
    checkAddress(planning, entry.url, [...path, 'url'])
    const found = state.agents.get(key)
    const part = await platformPart(planning, entry, path, found)
    const given = entry.secrets?.map((said, at) => secretOf(planning, said, [...path, 'secrets', at]))
    if (!part || given?.includes(undefined)) continue
    const api = part.said && withoutEnd(entry.url ?? found?.url ?? adapterOf(`${part.said['name']}`)?.api ?? '', '/')
    const made = given || found || part.said ? undefined : newWebhookSecret()
    const secrets = given ?? (made ? [made] : part.said && !found ? [] : undefined)
    const said = { url: api ?? entry.url, secrets, platform: part.said }
    const thing = { kind: 'agent' as const, name: key, path, before: found && agentView(found), said, complete: complete(key) }
    const after = desired(planning, thing)
    // An agent is found by its key. Its name is only for listings, so giving the name is not a change.
    if (state.idOf('AGENT', [key]) === undefined) planning.names.push({ kind: 'AGENT', keys: [key], id: key })
    if (!after) continue
    if (made) planning.secrets.push({ kind: thing.kind, name: key, of: `agent ${key}`, secret: made })
    const save = made ? makeOnce : saveAgent
    const write = async () => {
      const { output, issues } = readView(key, after)
      if (issues) throw new v.ValiError(issues)
      await save(await part.seal(output))
    }
    const views = { before: found && shown(agentView(found)), after: shown(after), said: part.said ? entry : said }
    note(planning, { ...thing, ...views, more: part.secrets, isNamed: false, write })
  }
}
