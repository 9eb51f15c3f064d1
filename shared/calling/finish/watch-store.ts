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

/** A call that was given up may be reported, and watched again, after it was read. Then a run with an old read must not settle it. */
const settling = (call: Call, at: Instant) => {
  const { conditions, values } = notVoid(call.unknown_time === null ? {} : { unheardSince: call })
  return {
    expression: 'SET settled_time = if_not_exists(settled_time, :at) REMOVE due_key, due_at',
    condition: conditions.join(' AND '),
    values: { ...values, ':at': at },
  }
}

/** Ends the watch over a call. Everything that follows from the call must be done before. Safe to repeat. */
export const stopWatching = async (call: Call, at: Instant): Promise<void> => {
  const { expression, condition, values } = settling(call, at)
  await onCondition(
    updateItem(callKey(call.lead, call.attempt), {
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeValues: values,
    }),
  )
}

/** Does what `stopWatching` does for a given-up call, as a write of a transaction. Fails if a report has arrived since the call was read. */
export const settleUnheard = (call: Call, at: Instant): Write => ({ update: callKey(call.lead, call.attempt), ...settling(call, at) })

/** A check of a transaction: neither the end of a call nor its completion is recorded. */
export const checkUnended = ({ lead, attempt }: CallKey): Write => ({
  check: callKey(lead, attempt),
  condition: 'attribute_not_exists(ended_time) AND attribute_not_exists(completed_time)',
})

/** A write of a transaction: the sweep watches a settled call again from an instant. It fails when one of the milestones is recorded. */
export const resumeWatch = ({ lead, attempt, owner }: CallKey, instant: Instant, unless: readonly (keyof Milestones)[]): Write => ({
  update: callKey(lead, attempt),
  expression: 'SET due_key = :due_key, due_at = :due_at REMOVE settled_time',
  condition: ['attribute_exists(settled_time)', ...unless.map((milestone) => `attribute_not_exists(${milestone})`)].join(' AND '),
  values: { ':due_key': watchKey(lead), ':due_at': dueAt(instant, attempt, owner) },
})
