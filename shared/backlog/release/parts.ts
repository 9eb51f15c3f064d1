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
/** All parts together plan about this many leads a second. More would slow down calls. */
export const RELEASED_TOGETHER = 2000
/** Seconds. So no part waits for long, although more parts together plan more leads. */
const LONGEST_PAUSE = 60
/** Parts that one message, or one sweep, begins to release. Even with long lists, they begin within `LONGEST_PAUSE`. */
const BLOCK = (LONGEST_PAUSE * RELEASED_TOGETHER) / RELEASED
/** Most marked parts that are read. */
const MOST_PARTS = 4000
/** Parts that are read or written in parallel. */
const LANES = 25

type Run = Extract<AgentMessage, { type: 'retry-held' }>

/** The message of a run that has a turn. */
export const runMessage = (run: Run & { readonly turn: Instant }): Outgoing => agentMessage(run, secondsUntil(run.turn, now()))

/** Seconds until the next run through a part: all parts that are marked take turns. */
export const pauseOfPart = async (): Promise<number> => {
  const { length } = await markedParts(BLOCK)
  return Math.max(1, Math.ceil((length * RELEASED) / RELEASED_TOGETHER))
}

/** Where to continue among the owners, and after how many seconds. */
interface NextOwners {
  readonly position: number
  readonly pause: number
}

/**
 * Begins a run through each part of a shared holder, for some owners: those with few leads first. A part that has a run already gets another
 * one after it. The marks stay until the runs are finished.
 * @param position the id of the last owner that is done
 * @returns undefined after the last owner
 */
export const startParts = async (holder: string, began: Instant, position: number): Promise<NextOwners | undefined> => {
  const isLeft = await mayHaveOtherAgent(holder)
  const owners = (await allOwners()).filter((owner) => owner > position).toSorted((one, other) => one - other)
  const block = owners.slice(0, BLOCK)
  const parts = await inLanes(LANES, block, async (owner) => {
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
  const last = block.at(-1)
  return last === undefined || owners.length === block.length ? undefined : { position: last, pause: Math.ceil(before / RELEASED_TOGETHER) }
}

/**
 * The sweep's look at marked parts. Begins a run through those that have none: their run has died, or the mark came during the run. The
 * others refuse the message. It begins at a random one, so that each has its turn.
 */
export const lookAtParts = async (): Promise<void> => {
  const began = now()
  const marked = await markedParts(MOST_PARTS)
  const first = Math.floor(Math.random() * marked.length)
  const messages = [...marked.slice(first), ...marked.slice(0, first)].slice(0, BLOCK).map((part, index) => {
    const delay = Math.floor((index * RELEASED) / RELEASED_TOGETHER)
    return agentMessage({ type: 'retry-held', agent: part, began, after: null }, delay)
  })
  await sendCallMessages(messages)
}
