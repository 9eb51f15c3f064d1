import { callKey, dueAt, watchKey } from '../../platform/keys.ts'
import { onCondition, updateItem } from '../../platform/table/table.ts'
import type { Write } from '../../platform/table/transactions.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Call } from '../call.ts'
import { type CallKey, ENDS, type Milestones, notVoid } from '../call-store.ts'

/** Postpones the sweep's next look at a call to an instant. Does nothing when the call's end was recorded after the call was read. */
export const watchFrom = async (call: Call, instant: Instant): Promise<void> => {
  const unended = ENDS.filter((name) => call[name] === null).map((name) => `attribute_not_exists(${name})`)
  await onCondition(
    updateItem(callKey(call.lead, call.attempt), {
      UpdateExpression: 'SET due_at = :due_at',
      ConditionExpression: ['attribute_exists(due_key)', ...unended].join(' AND '),
      ExpressionAttributeValues: { ':due_at': dueAt(instant, call.attempt, call.owner) },
    }),
  )
}

const SETTLING = 'SET settled_time = if_not_exists(settled_time, :at) REMOVE due_key, due_at'

/** Ends the watch over a call. Everything that follows from the call must be done before. Safe to repeat. */
export const stopWatching = async (call: Call, at: Instant): Promise<void> => {
  await onCondition(
    updateItem(callKey(call.lead, call.attempt), {
      UpdateExpression: SETTLING,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':at': at },
    }),
  )
}

/** A write of a transaction: as `stopWatching`. It fails when a report has arrived since the call was read. */
export const settleUnheard = (call: Call, at: Instant): Write => {
  const { conditions, values } = notVoid({ unheardSince: call })
  return {
    update: callKey(call.lead, call.attempt),
    expression: SETTLING,
    condition: conditions.join(' AND '),
    values: { ...values, ':at': at },
  }
}

/** A write of a transaction: the sweep watches a settled call again from an instant. It fails when one of the milestones is recorded. */
export const resumeWatch = ({ lead, attempt, owner }: CallKey, instant: Instant, unless: readonly (keyof Milestones)[]): Write => ({
  update: callKey(lead, attempt),
  expression: 'SET due_key = :due_key, due_at = :due_at REMOVE settled_time',
  condition: ['attribute_exists(settled_time)', ...unless.map((milestone) => `attribute_not_exists(${milestone})`)].join(' AND '),
  values: { ':due_key': watchKey(lead), ':due_at': dueAt(instant, attempt, owner) },
})
