import type { LeadType, User } from '../../accounts/configuration.ts'
import { leadTypesOf } from '../../accounts/lead-type-store.ts'
import { getAgent } from '../../agents/agent-store.ts'
import { getBreaker } from '../../agents/breaker-store.ts'
import { dueBetween } from '../../backlog/due.ts'
import { dueOf } from '../../backlog/due-leads.ts'
import { accountHolder, leadTypeHolder, pauseHolder, reassignedHolder } from '../../backlog/rules/holders.ts'
import { now } from '../../platform/clock.ts'
import { heldKey } from '../../platform/keys.ts'
import { inLanes } from '../../platform/lanes.ts'
import { HOUR } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { getRegistry } from '../../registries/registry-store.ts'
import type { Call } from '../call.ts'
import { getCalls } from '../call-store.ts'
import { callsOnLines, getLines } from '../line-store.ts'
import { type Activity, type Hold, MOST_COUNTED_NOW, MOST_SHOWN } from '../rules/explain/activity.ts'
import { outOfUse } from '../rules/gates/registry.ts'

/** Inactive lead types come first, then the newest ones. */
const MOST_LEAD_TYPES = 50
const LANES = 10
/** Later than the time of any lead that is held back. */
const FOREVER = Date.parse('9999-01-01T00:00:00Z')

const holdOf = async (holder: string, reason: Hold['reason'], leadType: number | null = null): Promise<Hold[]> => {
  const { length } = await dueBetween(heldKey(holder), 0, FOREVER, MOST_COUNTED_NOW)
  return length === 0 ? [] : [{ reason, leadType, leads: length, until: null, detail: null }]
}

type Shared = Pick<Hold, 'reason' | 'until' | 'detail'>

const agentHold = async (agent: string, at: Instant): Promise<Shared | undefined> => {
  if (!(await getAgent(agent))) return { reason: 'NO_AGENT', until: null, detail: null }
  const { open_until, reason } = await getBreaker(agent, { mayBeOld: true })
  return open_until > at ? { reason: 'AGENT_DOWN', until: open_until, detail: reason } : undefined
}

const registryHold = async (list: string, at: Instant): Promise<Shared | undefined> => {
  const found = outOfUse({ list, as_of: (await getRegistry(list))?.as_of ?? null }, at)
  return found && { reason: 'REGISTRY', until: null, detail: found.detail }
}

/** A hold for each lead type that names something that does not work, by the first such name. Each thing is read once. */
const sharedHolds = async (
  leadTypes: readonly LeadType[],
  namesOf: (leadType: LeadType) => readonly string[],
  holdBy: (name: string) => Promise<Shared | undefined>,
): Promise<Hold[]> => {
  const names = [...new Set(leadTypes.flatMap(namesOf))]
  const found = new Map(await inLanes(LANES, names, async (name) => [name, await holdBy(name)] as const))
  return leadTypes.flatMap((leadType) => {
    const [hold] = namesOf(leadType).flatMap((name) => found.get(name) ?? [])
    return hold ? [{ ...hold, leadType: leadType.id, leads: null }] : []
  })
}

const holdsOf = async (owner: number, at: Instant): Promise<Hold[]> => {
  const all = await leadTypesOf(owner)
  const leadTypes = all.toSorted((one, other) => Number(one.active) - Number(other.active)).slice(0, MOST_LEAD_TYPES)
  const active = leadTypes.filter((leadType) => leadType.active)
  const parts = await Promise.all([
    holdOf(pauseHolder(owner), 'PAUSED'),
    holdOf(accountHolder(owner), 'CALLING_HOURS'),
    all.some(({ reassigned_numbers: use }) => use !== null) ? holdOf(reassignedHolder(owner), 'REASSIGNED') : [],
    sharedHolds(
      leadTypes,
      ({ agent }) => [agent],
      (agent) => agentHold(agent, at),
    ),
    sharedHolds(
      active,
      ({ registries }) => registries?.lists ?? [],
      (list) => registryHold(list, at),
    ),
    inLanes(LANES, leadTypes, ({ id }) => holdOf(leadTypeHolder(id), 'LEAD_TYPE', id)),
  ])
  return parts.flat(2)
}

const latestCalls = async (ids: readonly string[]): Promise<Call[]> => {
  const calls = await getCalls(ids.slice(0, MOST_SHOWN))
  return [...calls.values()].toSorted((one, other) => other.intent_time - one.intent_time)
}

/** Reads all lead types of the owner. Otherwise, the number of reads has a limit. */
export const activityOf = async ({ id: owner }: Pick<User, 'id'>): Promise<Activity> => {
  const at = now()
  const [lines, overdue, nextHour, holds] = await Promise.all([
    getLines(owner),
    dueOf(owner, 0, at + 1, MOST_COUNTED_NOW),
    dueOf(owner, at + 1, at + HOUR, MOST_COUNTED_NOW),
    holdsOf(owner, at),
  ])
  const inProgress = await callsOnLines(owner, lines)
  return { lines, inUse: inProgress.length, calls: await latestCalls(inProgress), overdue, nextHour, holds }
}
