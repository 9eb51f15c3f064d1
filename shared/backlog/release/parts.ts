import { now } from '../../platform/clock.ts'
import { heldKey } from '../../platform/keys.ts'
import { inLanes } from '../../platform/lanes.ts'
import type { AgentMessage } from '../../platform/queues/messages.ts'
import type { Outgoing } from '../../platform/queues/queues.ts'
import { SECOND, secondsUntil } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { agentMessage, sendCallMessages } from '../dispatch.ts'
import { dueAfter } from '../due.ts'
import { markedParts, markPart, mayHaveOtherAgent, takeReleaseTurn } from '../marks.ts'
import { allOwners } from '../owners.ts'
import { partOf } from '../rules/holders.ts'

/** A holder that all owners share has a part for each owner. See `partOf`. */

/** Leads of one run, at most. The next run begins at least a second later. */
export const RELEASED = 500
/** Leads that the runs through all parts plan in a second, about: if they planned more, they would slow down calls. */
export const RELEASED_TOGETHER = 2000
/** Parts that are counted at most. */
const MOST_PARTS = 4000
/** Seconds. Messages with a longer delay would make the queue look late. */
const LONGEST_DELAY = 120
/** Parts that are read or written in parallel. */
const LANES = 25

type Run = Extract<AgentMessage, { type: 'retry-held' }>

/** The message of a run that has a turn. If the turn is later than a message can be delayed, it comes early. */
export const runMessage = (run: Run & { readonly turn: Instant }): Outgoing =>
  agentMessage(run, Math.min(LONGEST_DELAY, secondsUntil(run.turn, now())))

/** Seconds until the next run through a part: all parts that are marked take turns. */
export const pauseOfPart = async (): Promise<number> => {
  const { length } = await markedParts(MOST_PARTS)
  return Math.max(1, Math.ceil((length * RELEASED) / RELEASED_TOGETHER))
}

/** Whether any owner has leads that a shared holder holds, the leads in the list of an earlier version included. */
export const isAnyHeld = async (holder: string): Promise<boolean> => {
  const names = [holder, ...(await allOwners()).map((owner) => partOf(holder, owner))]
  return (await inLanes(LANES, names, (name) => dueAfter(heldKey(name), null, 1))).some(({ entries }) => entries.length > 0)
}

/**
 * Begins a run through each part of a shared holder, the parts with few leads first. A part that has a run already gets another one after
 * it. The marks stay until the runs are finished.
 */
export const startParts = async (holder: string, began: Instant): Promise<void> => {
  const isLeft = await mayHaveOtherAgent(holder)
  const parts = await inLanes(LANES, await allOwners(), async (owner) => {
    const part = partOf(holder, owner)
    return { part, leads: (await dueAfter(heldKey(part), null, RELEASED)).entries.length }
  })
  let before = 0
  const spread = parts
    .filter(({ leads }) => leads > 0)
    .toSorted((one, other) => one.leads - other.leads)
    .map(({ part, leads }) => {
      const delay = Math.floor(before / RELEASED_TOGETHER)
      before += leads
      return { part, delay }
    })
  const messages = await inLanes(LANES, spread, async ({ part, delay }) => {
    await markPart(part, began, isLeft)
    const turn = now() + delay * SECOND
    if (!(await takeReleaseTurn(part, turn, undefined))) return []
    return [runMessage({ type: 'retry-held', agent: part, began, turn, after: null })]
  })
  await sendCallMessages(messages.flat())
}

/** The sweep's look at parts. Begins a run through each part that has a mark and no run: a run has died, or the mark came during the run. */
export const lookAtParts = async (): Promise<void> => {
  const began = now()
  const messages = (await markedParts(MOST_PARTS)).map((part, index) => {
    const delay = Math.min(LONGEST_DELAY, Math.floor((index * RELEASED) / RELEASED_TOGETHER))
    return agentMessage({ type: 'retry-held', agent: part, began, after: null }, delay)
  })
  await sendCallMessages(messages)
}
