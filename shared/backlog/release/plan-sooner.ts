import { getUser } from '../../accounts/user-store.ts'
import { callingPolicy } from '../../calling/calling-policy.ts'
import { soonerCall } from '../../calling/rules/next-call.ts'
import type { Lead } from '../../leads/lead.ts'
import { changeLead, getReadableLeads } from '../../leads/lead-store.ts'
import { now } from '../../platform/clock.ts'
import { inLanes } from '../../platform/lanes.ts'
import { leadIdsFrom } from '../../positions/lead-index.ts'
import { lastPosition } from '../../positions/position-store.ts'
import { dispatchEachSoon } from '../dispatch.ts'
import { readOrQuarantine } from '../quarantine.ts'
import { startWaiting } from '../waiting.ts'

/** After a change of account hours: leads that the old hours had postponed are called as soon as the new hours permit. */

/** Leads that are read at once: few enough for the memory, however large their metadata is. */
const READ = 100
const LANES = 25

/** Plans leads sooner where possible. @returns the leads that moved */
const planEach = async (owner: number, ids: readonly number[]): Promise<Lead[]> => {
  const policy = await callingPolicy(await getUser(owner))
  const { leads } = await getReadableLeads(ids)
  const late = [...leads.values()].filter((lead) => soonerCall(lead, now(), policy))
  const planned: Lead[] = []
  await inLanes(LANES, late, async ({ id }) => {
    let isSooner = false
    const lead = await readOrQuarantine(id, () =>
      changeLead(id, (current) => {
        const next = soonerCall(current, now(), policy)
        isSooner = next !== undefined
        return next && { ...current, ...next, cause: 'schedule' }
      }),
    )
    if (lead && isSooner) planned.push(lead)
  })
  return planned
}

/**
 * Plans the leads of one block of an owner's list again, from a position on.
 * @returns the position to continue at; null at the end of the list
 */
export const planSooner = async (owner: number, from: number): Promise<number | null> => {
  const { ids, nextBlock } = await leadIdsFrom(owner, from)
  let isWaiting = false
  for (let start = 0; start < ids.length; start += READ) {
    const planned = await planEach(owner, ids.slice(start, start + READ))
    await dispatchEachSoon(planned, now())
    isWaiting ||= planned.some(({ due_list }) => due_list === 'WAIT')
  }
  if (isWaiting) await startWaiting(owner)
  return nextBlock > (await lastPosition(owner)) ? null : nextBlock
}
