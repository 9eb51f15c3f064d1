import { isDeepStrictEqual } from 'node:util'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { readUsState } from '#shared/location/rules/state.ts'
import { now } from '#shared/platform/clock.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { presentRules } from '../../calling-rules/read-rules.ts'
import { unmetDuties } from '../../calling-rules/unmet-duties.ts'
import type { Declaration, Texts } from '../configuration/declared.ts'
import type { Mistakes } from '../configuration/mistakes.ts'
import { readConfigurationState } from '../state.ts'
import { planAgents } from './agents.ts'
import { planIngestion } from './ingestion.ts'
import { checkInboundNumbers, planLeadTypes } from './lead-types.ts'
import { planLitigators } from './litigators.ts'
import type { EntityKind, Planning } from './planning.ts'
import { planRemovals } from './removals.ts'
import { ownersIn, planUsers } from './users.ts'

/** Plans the states in which a declared emergency bars all calls. The file's list replaces the stored one. */
const planEmergencies = (planning: Planning, said: Texts | undefined): void => {
  if (said === undefined) return
  const { state, mistakes, changes } = planning
  const codes = said.flatMap(([at, text]) => {
    const { value, remark } = readUsState(text)
    if (value === undefined) mistakes.add(['emergencies', at], remark ?? 'A state is required.')
    return value ?? []
  })
  const after = [...new Set(codes)].sort()
  if (isDeepStrictEqual(after, state.emergencies)) {
    planning.unchanged += 1
    return
  }
  const fields = [{ field: 'states', old: state.emergencies, new: after }]
  changes.push({ change: 'changed', kind: 'emergencies', name: '', fields, write: () => saveEmergencies(after) })
}

/** The order of writes: entities that others refer to come first. */
const ORDER: readonly EntityKind[] = ['DNC group', 'agent', 'lead type', 'user', 'source', 'ingestion URL', 'litigators', 'emergencies']

const rankOf = ({ change, kind }: Planning['changes'][number]): number => ORDER.indexOf(kind) + (change === 'removed' ? ORDER.length : 0)

const present = <T>(values: readonly (T | null | undefined)[]): T[] => values.flatMap((value) => value ?? [])

/** Ids in the file that must be read although the table has no name for them yet. */
const besideNames = ({ users, agents }: Declaration) => ({
  users: present(users.map(({ entry }) => entry?.id)),
  agents: [
    ...agents.map(({ key }) => key),
    ...users.flatMap(({ leadTypes }) => leadTypes.map(({ said }) => said['agent'])).filter((agent) => typeof agent === 'string'),
  ],
  urls: present(users.flatMap(({ urls }) => urls.map(({ entry }) => entry?.id))),
})

const planGroups = ({ state, changes, names }: Planning, groups: Declaration['groups']): number => {
  const missing = groups.filter(({ key }) => state.idOf('DNCGROUP', [key]) === undefined)
  for (const { key } of missing) {
    names.push({ kind: 'DNCGROUP', keys: [key], id: key })
    changes.push({ change: 'new', kind: 'DNC group', name: key, fields: [], write: async () => {} })
  }
  return groups.length - missing.length
}

/**
 * Plans the changes that make the table match the file. Mistakes go to `mistakes`; with any, the plan must not be applied.
 * @param file the configuration file. Other files are found relative to it.
 */
export const planFor = async (
  declaration: Declaration,
  { file, mistakes, environment }: { file: string; mistakes: Mistakes; environment: Planning['environment'] },
): Promise<Planning> => {
  const state = await readConfigurationState(besideNames(declaration))
  const planning: Planning = { state, mistakes, environment, changes: [], names: [], secrets: [], notes: [], unchanged: 0 }
  planning.unchanged += planGroups(planning, declaration.groups)
  await planAgents(planning, declaration.agents)
  const owners = ownersIn(planning, declaration.users)
  const agents = new Set(declaration.agents.map(({ key }) => key))
  const types = planLeadTypes(planning, owners, agents)
  await checkInboundNumbers(planning, types)
  planUsers(
    planning,
    owners,
    declaration.groups.map(({ key }) => key),
  )
  planIngestion(planning, owners)
  await planLitigators(planning, declaration, file)
  planEmergencies(planning, declaration.emergencies)
  await planRemovals(planning, declaration, types)
  const named = types.map(({ name, after }) => ({ name, type: after }))
  planning.notes.push(...unmetDuties(named, presentRules(), dayOf(now())))
  planning.changes.sort((a, b) => rankOf(a) - rankOf(b))
  return planning
}
