import type { User } from '../../accounts/configuration.ts'
import { leadTypesOf } from '../../accounts/lead-type-store.ts'
import { getAgent } from '../../agents/agent-store.ts'
import { getBreaker } from '../../agents/breaker-store.ts'
import { dueBetween } from '../../backlog/due.ts'
import { dueOf } from '../../backlog/due-leads.ts'
import { accountHolder, leadTypeHolder, pauseHolder } from '../../backlog/rules/holders.ts'
import { now } from '../../platform/clock.ts'
import { heldKey } from '../../platform/keys.ts'
import { inLanes } from '../../platform/lanes.ts'
import { HOUR } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Call } from '../call.ts'
import { getCalls } from '../call-store.ts'
import { callsOnLines, getLines } from '../line-store.ts'
import { type Activity, type Hold, MOST_COUNTED_NOW, MOST_SHOWN } from '../rules/explain/activity.ts'

/** Inactive lead types come first, then the newest ones. */
const MOST_LEAD_TYPES = 50
const LANES = 10
/** Later than the time of any lead that is held back. */
const FOREVER = Date.parse('9999-01-01T00:00:00Z')

const holdOf = async (holder: string, reason: Hold['reason'], leadType: number | null = null): Promise<Hold[]> => {
  const { length } = await dueBetween(heldKey(holder), 0, FOREVER, MOST_COUNTED_NOW)
  return length === 0 ? [] : [{ reason, leadType, leads: length, until: null, detail: null }]
}

const agentHold = async (agent: string, leadType: number, at: Instant): Promise<Hold[]> => {
  if (!(await getAgent(agent))) return [{ reason: 'NO_AGENT', leadType, leads: null, until: null, detail: null }]
  const { open_until, reason } = await getBreaker(agent, { mayBeOld: true })
  return open_until > at ? [{ reason: 'AGENT_DOWN', leadType, leads: null, until: open_until, detail: reason }] : []
}

const holdsOf = async (owner: number, at: Instant): Promise<Hold[]> => {
  const all = await leadTypesOf(owner)
  const leadTypes = all.toSorted((one, other) => Number(one.active) - Number(other.active)).slice(0, MOST_LEAD_TYPES)
  /** One lead type of each agent. */
  const agents = new Map(leadTypes.map(({ agent, id }) => [agent, id]))
  const [whole, ...byType] = await Promise.all([
    Promise.all([holdOf(pauseHolder(owner), 'PAUSED'), holdOf(accountHolder(owner), 'CALLING_HOURS')]),
    inLanes(LANES, [...agents], ([agent, leadType]) => agentHold(agent, leadType, at)),
    inLanes(LANES, leadTypes, ({ id }) => holdOf(leadTypeHolder(id), 'LEAD_TYPE', id)),
  ])
  return [whole, ...byType].flat(2)
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
