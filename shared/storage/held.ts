import * as v from 'valibot'
import { type Instant, Instant as InstantSchema } from '../schema/values.ts'
import { FORGOTTEN_AFTER } from './due.ts'
import { BREAKERS, breakerKey, dueAt } from './keys.ts'
import { getItem, ifConditionHolds, updateItem } from './table.ts'
import type { Write } from './transactions.ts'

/** Those whose leads are held: agents and lead types, by their names. What of them is to be looked at is one list. */

const asList = (at: Instant) => ({ ':key': BREAKERS, ':at': dueAt(at, 0, 0) })

/** A write of a transaction that has the sweep look for leads that are held for somebody who is back. */
export const markBack = (holder: string, at: Instant): Write => ({
  update: breakerKey(holder),
  expression: 'SET due_key = :key, due_at = :at',
  values: asList(at),
})

/** As `markBack`, for an agent that may be down as before, while some of those held for it have another one. */
export const markLeft = (agent: string, at: Instant): Write => ({
  update: breakerKey(agent),
  expression: 'SET due_key = :key, due_at = if_not_exists(due_at, :at), left_time = :now',
  values: { ...asList(at), ':now': at },
})

const Left = v.object({ left_time: v.optional(InstantSchema) })

/** Whether some of those held for an agent may have another one by now. */
export const isLeft = async (agent: string): Promise<boolean> => (await getItem(Left, breakerKey(agent)))?.left_time !== undefined

/**
 * After a look at all of them that began at an instant. A younger change asks for another one: somebody may yet hold a lead who read
 * the lead type as it was before.
 */
export const forgetLeft = async (agent: string, began: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(breakerKey(agent), {
      UpdateExpression: 'REMOVE left_time',
      ConditionExpression: 'left_time < :old',
      ExpressionAttributeValues: { ':old': began - FORGOTTEN_AFTER },
    }),
  )
}

/** A run of messages, each of which sends the next one, that has said nothing for this long is over. */
const TURN = 30_000

/**
 * Whose turn it is to send on those held for somebody: one run of messages at a time.
 * @param mine the instant at which the run had its last turn; undefined for its first message
 */
export const takeTurn = (holder: string, at: Instant, mine: Instant | undefined): Promise<boolean> =>
  ifConditionHolds(
    updateItem(breakerKey(holder), {
      UpdateExpression: 'SET turn_time = :now',
      ConditionExpression: mine === undefined ? 'attribute_not_exists(turn_time) OR turn_time < :mine' : 'turn_time = :mine',
      ExpressionAttributeValues: { ':now': at, ':mine': mine ?? at - TURN },
    }),
  )
