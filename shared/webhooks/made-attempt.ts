import { deliveryKey, deliveryPartsOf } from '../platform/keys.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { ifConditionHolds, updateItem } from '../platform/table/table.ts'
import { getDelivery, recordAttempt } from './delivery-store.ts'
import { CUT_SHORT, type DeliveryState, MOST_ATTEMPTS } from './rules/after-attempt.ts'
import type { Delivery, DeliveryAttempt } from './webhook.ts'

/** Writes the attempt over the entry that says that it was cut short, or else at the end of the log. A full log stays as it is. */
const logging = ({ attempts }: Delivery, made: DeliveryAttempt) => {
  const entry = attempts.findIndex(({ time, error }) => time === made.time && error === CUT_SHORT)
  if (entry >= 0) return { sets: [`attempts[${entry}] = :made`], values: { ':made': made } }
  if (attempts.length >= MOST_ATTEMPTS) return { sets: [], values: {} }
  // The retry schedule does not count it: the run that came first decides about the next attempt.
  const sets = ['attempts = list_append(attempts, :made)', 'earlier_attempts = if_not_exists(earlier_attempts, :none) + :one']
  return { sets, values: { ':made': [made], ':none': 0, ':one': 1 } }
}

/** Adds an attempt beside those of other runs. A success ends the delivery. @returns false when the delivery has changed again */
const addAttempt = async (seen: Delivery, made: DeliveryAttempt, isSuccess: boolean): Promise<boolean> => {
  const { sets, values } = logging(seen, made)
  const isEnd = isSuccess && (seen.status === 'pending' || seen.status === 'failed')
  const all = [...sets, ...(isEnd ? ['#status = :delivered'] : [])]
  if (all.length === 0) return true
  return ifConditionHolds(
    updateItem(deliveryKey(deliveryPartsOf(seen.delivery_id)), {
      UpdateExpression: `SET ${all.join(', ')}${isEnd ? ' REMOVE begun_time, next_attempt_time, due_key, due_at' : ''}`,
      ConditionExpression: '#status = :seen AND size(attempts) = :known',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ...values,
        ':seen': seen.status,
        ':known': seen.attempts.length,
        ...(isEnd && { ':delivered': 'delivered' }),
      },
    }),
  )
}

const RACES = { tries: 10, lost: 'Other runs recorded attempts of the delivery' }

/**
 * Records an attempt that was made, with the state that follows. If another run has recorded an attempt since the delivery was read, its
 * state stays, but the log gets this attempt too, and a success ends the delivery: a resend may run beside an attempt, and a message may
 * come twice.
 */
export const recordMadeAttempt = async (delivery: Delivery, made: DeliveryAttempt, state: DeliveryState): Promise<void> => {
  if (await recordAttempt(delivery, [made], state)) return
  await retryRaces(RACES, async () => {
    const seen = await getDelivery(delivery.delivery_id)
    // The claim of this run may still hold: then only a run without a claim has added an attempt.
    const isClaimed = seen?.status === 'pending' && seen.begun_time === made.time
    const add = (found: Delivery) => addAttempt(found, made, state.status === 'delivered')
    return !seen || (isClaimed ? await recordAttempt(seen, [made], state) : await add(seen)) || undefined
  })
}
