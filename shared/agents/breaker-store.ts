import * as v from 'valibot'
import type { Agent } from '../accounts/configuration.ts'
import { FORGOTTEN_AFTER } from '../backlog/marks.ts'
import { now } from '../platform/clock.ts'
import { BREAKERS, breakerKey, dueAt } from '../platform/keys.ts'
import { getItem, ifConditionHolds, onCondition, type Reading, updateItem } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'
import { getAgent } from './agent-store.ts'
import { Breaker, OPENS_AFTER, PROBE_TIME, TRUSTED } from './rules/breaker.ts'

/** Failures are counted per URL. An agent with a new URL starts from zero. */
const Stored = v.object({ ...Breaker.entries, url: v.optional(v.string(), '') })

export const getBreaker = async (agent: string, reading?: Reading): Promise<Breaker> => {
  const [stored, configured] = await Promise.all([getItem(Stored, breakerKey(agent), reading), getAgent(agent)])
  return stored && stored.url === configured?.url ? stored : TRUSTED
}

/** Position of an agent in the list that the sweep checks. */
const dueAtOf = (instant: Instant): string => dueAt(instant, 0, 0)

/** Counts a failed call. Concurrent failures are all counted. @returns the breaker after this failure */
export const countFailure = async (agent: Agent, failure: string): Promise<Breaker> => {
  const names = { '#url': 'url' }
  const values = { ':url': agent.url, ':failure': failure, ':one': 1 }
  const counted = await onCondition(
    updateItem(breakerKey(agent.id), {
      UpdateExpression: 'SET #url = :url, failure = :failure ADD failures :one',
      ConditionExpression: 'attribute_not_exists(#url) OR #url = :url',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ReturnValues: 'ALL_NEW',
    }),
  )
  if (counted.isMet) return v.parse(Breaker, counted.result)
  const begun = await updateItem(breakerKey(agent.id), {
    UpdateExpression: 'SET #url = :url, failure = :failure, failures = :one, openings = :zero, open_until = :zero REMOVE probe',
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ':zero': 0 },
    ReturnValues: 'ALL_NEW',
  })
  return v.parse(Breaker, begun)
}

/** @returns false when another call opened the breaker first, or the agent has answered since the failure */
export const openBreaker = (
  agent: string,
  read: Breaker,
  next: Pick<Breaker, 'openings' | 'open_until' | 'reason' | 'owner'>,
): Promise<boolean> =>
  ifConditionHolds(
    updateItem(breakerKey(agent), {
      UpdateExpression:
        'SET openings = :next, opened_time = :now, #owner = :owner, open_until = :until, #reason = :reason, due_key = :key, due_at = :at REMOVE probe',
      ConditionExpression: `failures >= :least AND ${read.openings === 0 ? '(attribute_not_exists(openings) OR openings = :read)' : 'openings = :read'}`,
      ExpressionAttributeNames: { '#reason': 'reason', '#owner': 'owner' },
      ExpressionAttributeValues: {
        ':read': read.openings,
        // A breaker may open at the first failure. If the agent has answered since that failure, the stored count is 0 and the condition
        // fails.
        ':least': Math.min(read.failures, OPENS_AFTER),
        ':next': next.openings,
        ':now': now(),
        ':until': next.open_until,
        ':reason': next.reason,
        ':owner': next.owner,
        ':key': BREAKERS,
        ':at': dueAtOf(next.open_until),
      },
    }),
  )

/** Lets one call dial as the probe after the pause. No other call may dial for `PROBE_TIME`. @returns whether this call is the probe */
export const claimProbe = (agent: string, call: string, at: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(breakerKey(agent), {
      UpdateExpression: 'SET probe = :call, open_until = :until, due_key = :key, due_at = :at',
      ConditionExpression: 'openings > :zero AND (open_until <= :now OR probe = :call)',
      ExpressionAttributeValues: {
        ':call': call,
        ':until': at + PROBE_TIME,
        ':key': BREAKERS,
        ':at': dueAtOf(at + PROBE_TIME),
        ':zero': 0,
        ':now': at,
      },
    }),
  )

/** Trusts the agent again. It stays in the sweep's list, because leads may still be held. @returns whether the breaker was open */
export const closeBreaker = async (agent: string, at: Instant): Promise<boolean> => {
  const before = await updateItem(breakerKey(agent), {
    UpdateExpression: 'SET failures = :zero, openings = :zero, open_until = :zero, due_at = :at REMOVE probe',
    ExpressionAttributeValues: { ':zero': 0, ':at': dueAtOf(at) },
    ReturnValues: 'ALL_OLD',
  })
  return v.parse(Breaker, before ?? {}).openings > 0
}

/**
 * Removes a trusted agent that holds no leads from the sweep's list, after `FORGOTTEN_AFTER`. The delay covers a race: a worker that read
 * the open breaker may still hold a lead. The pause of an agent with a new URL is removed too. Otherwise a return to the old URL would
 * restore a pause that no sweep ends.
 */
export const forgetBreaker = async (agent: string, at: Instant): Promise<void> => {
  const configured = await getAgent(agent)
  await ifConditionHolds(
    updateItem(breakerKey(agent), {
      UpdateExpression: 'SET openings = :zero, open_until = :zero REMOVE due_key, due_at, probe, left_time',
      ConditionExpression: 'due_at < :old AND (attribute_not_exists(openings) OR openings = :zero OR #url <> :url)',
      ExpressionAttributeNames: { '#url': 'url' },
      ExpressionAttributeValues: { ':old': dueAtOf(at - FORGOTTEN_AFTER), ':zero': 0, ':url': configured?.url ?? '' },
    }),
  )
}
