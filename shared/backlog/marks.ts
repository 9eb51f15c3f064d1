import * as v from 'valibot'
import { now } from '../platform/clock.ts'
import { BREAKERS, breakerKey, dueAt, MARKED_KEYS, MARKED_PARTS, markKey, parseAgentPk, parseDueAt } from '../platform/keys.ts'
import { deleteItem, getItem, ifConditionHolds, updateItem } from '../platform/table/table.ts'
import type { Write } from '../platform/table/transactions.ts'
import { DAY, MINUTE, SECOND } from '../platform/values/durations.ts'
import { type Instant, Instant as InstantSchema } from '../platform/values/values.ts'
import { dueEntries } from './due.ts'

/**
 * Leads that cannot be called now are held: by an agent, a setting or a pause. A mark in the due index makes the sweep look at the leads of
 * one holder.
 */

/**
 * A mark is removed only when it is older than this. By then, every run that read the earlier state has written, and the index shows it.
 */
export const FORGOTTEN_AFTER = MINUTE

interface Mark {
  /** The name of the holder. */
  readonly agent: string
  readonly instant: Instant
}

const marksIn = async (key: string, until: Instant, limit: number): Promise<Mark[]> =>
  (await dueEntries(key, 0, until, limit)).map(({ pk, due_at }) => ({ agent: parseAgentPk(pk), instant: parseDueAt(due_at).instant }))

/** Agents and settings that the sweep must look at before `until`, and when. Leads and litigators have partitions of their own. */
export const agentsToLookAt = (until: Instant, limit: number): Promise<Mark[]> => marksIn(BREAKERS, until, limit)

/** As `agentsToLookAt`, and then leads and litigators. Their partitions share what is left of the limit, and give at least one mark each. */
export const allToLookAt = async (until: Instant, limit: number): Promise<Mark[]> => {
  const agents = await agentsToLookAt(until, limit)
  const each = Math.max(1, Math.floor((limit - agents.length) / MARKED_KEYS.length))
  const others = await Promise.all(MARKED_KEYS.map((key) => marksIn(key, until, each)))
  return [...agents, ...others.flat()]
}

const asList = (holder: string, at: Instant) => ({ ':key': markKey(holder), ':at': dueAt(at, 0, 0) })

/** A write of a transaction: from `at` on, the sweep goes through the leads of a holder. */
export const markBack = (holder: string, at: Instant): Write => ({
  update: breakerKey(holder),
  expression: 'SET due_key = :key, due_at = :at',
  values: asList(holder, at),
})

/** As `markBack`, without anything else to write. */
export const addMark = async (holder: string, at: Instant): Promise<void> => {
  await updateItem(breakerKey(holder), {
    UpdateExpression: 'SET due_key = :key, due_at = :at',
    ExpressionAttributeValues: asList(holder, at),
  })
}

/** A write of a transaction: the sweep goes through the leads of a holder at once, even if another run does so already. */
export const markReleased = (holder: string, at: Instant): Write => ({
  update: breakerKey(holder),
  expression: 'SET due_key = :key, due_at = :at REMOVE turn_time',
  values: asList(holder, at),
})

/** Functions cache the configuration for this long. After that, all of them use a changed setting. */
const SETTING_HOLDS_AFTER = 10 * SECOND

/** A write of the transaction that changes a setting: the sweep looks at the leads that the setting held. */
export const markChanged = (setting: string, at: Instant): Write => markBack(setting, at + SETTING_HOLDS_AFTER)

/** As `markChanged`. A run that an earlier change began ends, and another one begins with the first lead. */
export const markRestarted = (setting: string, at: Instant): Write => markReleased(setting, at + SETTING_HOLDS_AFTER)

/**
 * Removes the mark of a setting after a look at all of its leads. A mark younger than a minute stays and causes another look. A function
 * that still uses the old setting may hold a lead a moment later.
 */
export const forgetChanged = async (setting: string, began: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(breakerKey(setting), {
      UpdateExpression: 'REMOVE due_key, due_at, turn_time, runs',
      ConditionExpression: 'due_at < :old',
      ExpressionAttributeValues: { ':old': dueAt(began - FORGOTTEN_AFTER, 0, 0) },
    }),
  )
}

/** A write of the transaction by which lead types leave an agent: the sweep goes through the leads of the agent, which may still be down. */
export const markLeft = (agent: string, at: Instant): Write => ({
  update: breakerKey(agent),
  expression: 'SET due_key = :key, due_at = if_not_exists(due_at, :at), left_time = :now',
  values: { ...asList(agent, at), ':now': at },
})

/** Written before an agent holds a lead: from `at` on, the sweep goes through its leads. A mark for a later time stays. */
export const markHeld = async (agent: string, at: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(breakerKey(agent), {
      UpdateExpression: 'SET due_key = :key, due_at = :at',
      ConditionExpression: 'attribute_not_exists(due_at) OR due_at < :at',
      ExpressionAttributeValues: asList(agent, at),
    }),
  )
}

/**
 * Written by a run that will go through the leads of a holder itself, in case this run dies: from `at` on, the sweep does it. Counts the runs
 * that rely on the mark.
 */
export const markForRun = async (holder: string, at: Instant): Promise<void> => {
  await updateItem(breakerKey(holder), {
    UpdateExpression: 'SET due_key = :key, due_at = :at ADD runs :one',
    ExpressionAttributeValues: { ...asList(holder, at), ':one': 1 },
  })
}

/**
 * Removes the mark of a run when the run ends. A mark that another run relies on stays: the sweep removes it later.
 * @param at the time that the run has marked
 */
export const forgetRun = async (holder: string, at: Instant): Promise<void> => {
  await ifConditionHolds(
    deleteItem(breakerKey(holder), {
      ConditionExpression: 'due_at = :at AND runs = :one',
      ExpressionAttributeValues: { ':at': dueAt(at, 0, 0), ':one': 1 },
    }),
  )
}

const SWEPT: readonly string[] = [BREAKERS, ...MARKED_KEYS, MARKED_PARTS]
const Marked = v.object({ due_key: v.optional(v.unknown()) })

/** Whether a holder or a part is marked in a partition that the sweep reads. */
export const isMarked = async (name: string): Promise<boolean> => {
  const mark = await getItem(Marked, breakerKey(name))
  return SWEPT.some((key) => key === mark?.due_key)
}

const Left = v.object({ left_time: v.optional(InstantSchema) })

/** Whether some leads that an agent holds may have another agent by now. */
export const mayHaveOtherAgent = async (agent: string): Promise<boolean> =>
  (await getItem(Left, breakerKey(agent)))?.left_time !== undefined

/**
 * Removes the note that lead types have left an agent, after a run through all of its leads that began at `began`. A note younger than a minute
 * stays and causes another run: a function that still uses the old lead type may hold a lead a moment later.
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

/** A run of messages, each of which sends the next one, is over when its turn is older than this. */
const TURN = 30 * SECOND
/** No turn is further ahead, unless the clock was set back. */
const AHEAD = 2 * MINUTE

/**
 * Takes a turn to go through the leads of one holder. Only one run of messages at a time has turns.
 * @param turn the instant of the turn: in the future if a delayed message will use it
 * @param mine the last turn of the run; undefined for its first message
 */
export const takeReleaseTurn = (holder: string, turn: Instant, mine: Instant | undefined): Promise<boolean> =>
  ifConditionHolds(
    updateItem(breakerKey(holder), {
      UpdateExpression: 'SET turn_time = :turn',
      ConditionExpression:
        mine === undefined ? 'attribute_not_exists(turn_time) OR turn_time < :over OR turn_time > :ahead' : 'turn_time = :mine',
      ExpressionAttributeValues: {
        ':turn': turn,
        ...(mine === undefined ? { ':over': now() - TURN, ':ahead': now() + AHEAD } : { ':mine': mine }),
      },
    }),
  )

/** Gives a turn back, so that the message that took it can take it again. @param mine as for `takeReleaseTurn` */
export const giveBackReleaseTurn = async (holder: string, turn: Instant, mine: Instant | undefined): Promise<void> => {
  await ifConditionHolds(
    updateItem(breakerKey(holder), {
      UpdateExpression: mine === undefined ? 'REMOVE turn_time' : 'SET turn_time = :mine',
      ConditionExpression: 'turn_time = :turn',
      ExpressionAttributeValues: { ':turn': turn, ...(mine !== undefined && { ':mine': mine }) },
    }),
  )
}

/** The names of marked parts, at most `limit`. Agents and settings are in another list. */
export const markedParts = async (limit: number): Promise<string[]> =>
  (await dueEntries(MARKED_PARTS, 0, now() + DAY, limit)).map(({ pk }) => parseAgentPk(pk))

/**
 * Marks a part before its run begins. If the run dies, the sweep begins another one.
 * @param isLeft whether lead types have left the agent, as in `markLeft`
 */
export const markPart = async (part: string, at: Instant, isLeft: boolean): Promise<void> => {
  await updateItem(breakerKey(part), {
    UpdateExpression: `SET due_key = :key, due_at = :at${isLeft ? ', left_time = :now' : ''}`,
    ExpressionAttributeValues: { ':key': MARKED_PARTS, ':at': dueAt(at, 0, 0), ...(isLeft && { ':now': at }) },
  })
}

/** Removes the mark of a part after a run through all of its leads. If the mark is newer than the run, the next sweep begins another run. */
export const forgetPart = async (part: string, began: Instant, turn: Instant): Promise<void> => {
  const isForgotten = await ifConditionHolds(
    deleteItem(breakerKey(part), {
      ConditionExpression: 'turn_time = :turn AND (attribute_not_exists(due_at) OR due_at <= :began)',
      ExpressionAttributeValues: { ':turn': turn, ':began': dueAt(began, 0, 0) },
    }),
  )
  if (!isForgotten) await giveBackReleaseTurn(part, turn, undefined)
}
