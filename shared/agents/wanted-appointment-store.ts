import type { Call } from '../calling/call.ts'
import { callFromItem } from '../calling/call-store.ts'
import { callKey } from '../platform/keys.ts'
import { onCondition, updateItem } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'

/**
 * The appointment that a call is booking. All requests of a call use one idempotency key. Until the calendar refuses one start, no other
 * start may be requested.
 */

/** Milestones after which a call books nothing more. */
const OVER = ['ended_time', 'completed_time', 'refused_time', 'unknown_time', 'appointment']

const unless = (names: readonly string[]): string => names.map((name) => `attribute_not_exists(${name})`).join(' AND ')

/**
 * Records the start before the calendar is asked for it. No other request may ask until `until`.
 * @returns the call before this write; undefined when another start is recorded, another request is asking, the call has an appointment, or
 * it is over
 */
export const noteWanted = async ({ lead, attempt }: Call, start: Instant, { now, until }: { now: Instant; until: Instant }) => {
  const noted = await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: 'SET wanted_start = :start, wanted_until = :until',
      ConditionExpression: [
        'attribute_exists(pk)',
        unless(OVER),
        '(attribute_not_exists(wanted_start) OR wanted_start = :start)',
        '(attribute_not_exists(wanted_until) OR wanted_until <= :now)',
      ].join(' AND '),
      ExpressionAttributeValues: { ':start': start, ':until': until, ':now': now },
      ReturnValues: 'ALL_OLD',
    }),
  )
  return noted.held ? callFromItem(noted.result) : undefined
}

/**
 * Lets other requests ask: for any start if `refused`, otherwise only for the same one. Does nothing when another request is asking by now.
 */
export const endAsking = async ({ lead, attempt }: Call, until: Instant, { refused }: { readonly refused: boolean }): Promise<void> => {
  await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: refused ? 'REMOVE wanted_until, wanted_start' : 'REMOVE wanted_until',
      ConditionExpression: 'wanted_until = :until',
      ExpressionAttributeValues: { ':until': until },
    }),
  )
}
