import * as v from 'valibot'
import { realNow } from '../platform/clock.ts'
import { positionsKey } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import { getItem, onCondition, updateItem } from '../platform/table/table.ts'
import { MINUTE } from '../platform/values/durations.ts'
import { addHole } from './holes.ts'
import { closedTakings, closePosition, giveBackClosed, type OpenPositions, openName, parseOpen, rememberTaking } from './open-positions.ts'
import { readPositionList } from './position-list.ts'

export { closePosition } from './open-positions.ts'

const Positions = v.record(v.string(), v.unknown())

/** The most closed takings that one update removes while it adds its own. */
const REMOVED = 20

const take = async (owner: number, name: string, count: number, closed: readonly string[]): Promise<Record<string, unknown>> => {
  const removal = closed.length > 0 ? ` REMOVE ${closed.map((_, index) => `#s${index}`).join(', ')}` : ''
  const taken = await onCondition(
    updateItem(positionsKey(owner), {
      UpdateExpression: `SET #last = if_not_exists(#last, :zero) + :count, #open = if_not_exists(#last, :zero) + :one${removal}`,
      ConditionExpression: 'attribute_not_exists(#open)',
      ExpressionAttributeNames: {
        '#last': 'last',
        '#open': name,
        ...Object.fromEntries(closed.map((other, index) => [`#s${index}`, other])),
      },
      ExpressionAttributeValues: { ':zero': 0, ':one': 1, ':count': count },
      ReturnValues: 'ALL_NEW',
    }),
  )
  /** The condition fails only on a retry whose first answer was lost. The item then already shows that the positions are taken. */
  return v.parse(Positions, taken.isMet ? taken.result : await getItem(Positions, positionsKey(owner)))
}

/** With this many takings older than a minute, the next taker cleans up. Their sandboxes are gone, and the item must stay small. */
const MANY = 30
const tidied = new Map<number, number>()

const tidyWhenMany = async (owner: number, open: readonly OpenPositions[]): Promise<void> => {
  const old = open.filter(({ taken }) => taken < realNow() - MINUTE)
  if (old.length < MANY || (tidied.get(owner) ?? 0) > realNow() - MINUTE) return
  tidied.set(owner, realNow())
  try {
    await readPositionList(owner)
  } catch (error) {
    logger.warn('Could not record positions in the list of leads that never got a lead. A later create of this owner tries again.', {
      owner,
      error: loggable(error),
    })
  }
}

/** @returns the last of the `count` positions taken. */
const advance = async (owner: number, count: number): Promise<number> => {
  const name = openName(realNow(), count)
  const closed = closedTakings(owner, REMOVED)
  try {
    const item = await take(owner, name, count, closed)
    const open = Object.entries(item).flatMap(([attribute, first]) => parseOpen(attribute, first) ?? [])
    const own = open.find((batch) => batch.name === name)
    if (!own) throw new Error(`The list positions taken for owner ${owner} are not recorded in the owner's item.`)
    rememberTaking(owner, own)
    await tidyWhenMany(owner, open)
    return own.first + count - 1
  } catch (error) {
    giveBackClosed(owner, closed)
    throw error
  }
}

type Waiting = PromiseWithResolvers<number>

/** By owner: callers that wait for the update in progress. The next update serves all of them. */
const queues = new Map<number, Waiting[]>()

const serve = async (owner: number, waiting: Waiting[]): Promise<void> => {
  while (waiting.length > 0) {
    const served = waiting.splice(0)
    try {
      const last = await advance(owner, served.length)
      for (const [index, { resolve }] of served.entries()) resolve(last - served.length + 1 + index)
    } catch (error) {
      for (const { reject } of served) reject(error)
    }
  }
  queues.delete(owner)
}

/**
 * The next position in an owner's list. Take it last, when only a race can still refuse the lead. Concurrent calls for one owner in a
 * sandbox share an update. Each gets exactly one position.
 */
export const takePosition = (owner: number): Promise<number> => {
  const taker = Promise.withResolvers<number>()
  const waiting = queues.get(owner)
  if (waiting) waiting.push(taker)
  else {
    const first = [taker]
    queues.set(owner, first)
    void serve(owner, first)
  }
  return taker.promise
}

const Last = v.object({ last: v.optional(v.number(), 0) })

/**
 * The last position taken in an owner's list, or 0. Strongly consistent: every acknowledged lead is at this position or before it, and
 * every later request gets a position after it.
 */
export const lastPosition = async (owner: number): Promise<number> => (await getItem(Last, positionsKey(owner)))?.last ?? 0

/** Records that a taken position has no lead, so that counts and pages stay exact. Idempotent. */
export const recordHole = async (owner: number, position: number): Promise<void> => {
  await addHole(owner, position)
  closePosition(owner, position)
}
