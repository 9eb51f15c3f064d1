import type { Call } from '../calling/call.ts'
import { callFromItem } from '../calling/call-store.ts'
import { callKey } from '../platform/keys.ts'
import { onCondition, updateItem } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'

/** What a call is booking: asked for under the call's one key, so that only one time can be asked for until the calendar has said no. */

/** Milestones after which nothing is booked any more. */
const OVER = ['ended_time', 'completed_time', 'refused_time', 'unknown_time', 'appointment']

const unless = (names: readonly string[]): string => names.map((name) => `attribute_not_exists(${name})`).join(' AND ')

/**
 * Notes, before the calendar is asked, which start it is asked for; nobody else may ask until `until`.
 * @returns the call as it was; undefined when another start is noted, somebody else is asking, the call has an appointment, or is over
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

/** Lets others ask, for the same start alone, or, when it is `refused`, for any. Nothing happens when somebody else is asking by now. */
export const endAsking = async ({ lead, attempt }: Call, until: Instant, { refused }: { readonly refused: boolean }): Promise<void> => {
  await onCondition(
    updateItem(callKey(lead, attempt), {
      UpdateExpression: refused ? 'REMOVE wanted_until, wanted_start' : 'REMOVE wanted_until',
      ConditionExpression: 'wanted_until = :until',
      ExpressionAttributeValues: { ':until': until },
    }),
  )
}
