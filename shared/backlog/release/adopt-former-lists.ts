import { namedUsers } from '../../accounts/names.ts'
import { listUser } from '../../accounts/user-store.ts'
import type { Lead } from '../../leads/lead.ts'
import { changeLead } from '../../leads/lead-store.ts'
import { now } from '../../platform/clock.ts'
import { FORMER_DUE_KEYS, formerKey } from '../../platform/keys.ts'
import { allInLanes, inLanes } from '../../platform/lanes.ts'
import { MINUTE } from '../../platform/values/durations.ts'
import { dispatchEachSoon } from '../dispatch.ts'
import { dueAfter } from '../due.ts'
import { addMark } from '../marks.ts'
import { readOrQuarantine } from '../quarantine.ts'
import { pauseHolder } from '../rules/holders.ts'

/** Until version 1.0.2, all owners shared lists of due leads, and leads that could not be called were moved to other lists. */

/** Leads of one list that a sweep adopts, and how many of them in parallel. */
const MOST = 500
const LANES = 25
/** How often the owners' former lists are read. In minutes. */
const OWNERS_EVERY = 10
/** A function that was just deployed reads them at once: it calls for no owner that is not listed. */
let isFirst = true

const inPresentList = (lead: Lead): Pick<Lead, 'due_list' | 'held_by'> => {
  if (lead.due_list === 'PARKED') return { due_list: 'HELD', held_by: pauseHolder(lead.owner) }
  return lead.due_list === 'WAIT' ? { due_list: 'CALL', held_by: null } : lead
}

const adopt = async (list: string): Promise<boolean> => {
  const { entries } = await dueAfter(list, null, MOST)
  const adopted = await inLanes(LANES, entries, ({ lead: id }) =>
    readOrQuarantine(id, () => changeLead(id, (lead) => ({ ...lead, ...inPresentList(lead), cause: 'schedule' }))),
  )
  await dispatchEachSoon(
    adopted.flatMap((lead) => lead ?? []),
    now(),
  )
  return entries.length > 0
}

const adoptOwner = async (owner: number): Promise<void> => {
  await listUser(owner)
  await adopt(formerKey('WAIT', owner))
  if (await adopt(formerKey('PARKED', owner))) await addMark(pauseHolder(owner), now())
}

/**
 * Moves leads of an earlier version to the present lists, some at a time. Without any, it costs a few reads, and every ten minutes two reads
 * and a refused write for each user.
 */
export const adoptFormerLists = async (): Promise<void> => {
  await inLanes(FORMER_DUE_KEYS.length, FORMER_DUE_KEYS, adopt)
  if (!isFirst && Math.floor(now() / MINUTE) % OWNERS_EVERY > 0) return
  await allInLanes(LANES, await namedUsers(), adoptOwner)
  isFirst = false
}
