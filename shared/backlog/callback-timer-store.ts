import { callbackTimerKey, dueAt, watchKey } from '../platform/keys.ts'
import { expiresAt } from '../platform/table/expiry.ts'
import { getItem, ifConditionHolds, putItem, updateItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { CallbackTimer } from './callback-timer.ts'

/** A timer that has been checked is kept much longer than the write that made the promise may be repeated. */
const KEPT = 30 * DAY

export const getCallbackTimer = (lead: number, promised: Instant): Promise<CallbackTimer | undefined> =>
  getItem(CallbackTimer, callbackTimerKey(lead, promised))

/** Makes the sweep look at a promise at `due`. Safe to repeat: a timer that has been checked does not start again. */
export const setCallbackTimer = async (timer: CallbackTimer, due: Instant): Promise<void> => {
  await ifConditionHolds(
    putItem(
      {
        ...callbackTimerKey(timer.lead, timer.promised_time),
        ...timer,
        due_key: watchKey(timer.lead),
        due_at: dueAt(due, 0, timer.owner),
      },
      { ConditionExpression: 'attribute_not_exists(pk)' },
    ),
  )
}

/** Ends the watch over a promise. `fired`: the call is late, which is reported once. */
export const settleCallbackTimer = async ({ lead, promised_time }: CallbackTimer, at: Instant, fired: boolean): Promise<void> => {
  await ifConditionHolds(
    updateItem(callbackTimerKey(lead, promised_time), {
      UpdateExpression: `SET expires_at = :expiry${fired ? ', fired_time = :at' : ''} REMOVE due_key, due_at`,
      ConditionExpression: 'attribute_exists(due_key)',
      ExpressionAttributeValues: { ':expiry': expiresAt(at, KEPT), ...(fired && { ':at': at }) },
    }),
  )
}
