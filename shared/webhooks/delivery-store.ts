import * as v from 'valibot'
import { duePages, type Entry, overduePages } from '../backlog/due.ts'
import {
  deliveryId,
  deliveryKey,
  deliveryList,
  deliveryPartsOf,
  dueAt,
  failedPlacement,
  type Key,
  type Placement,
  parseDeliveryId,
  parseDeliveryKey,
  parseDueAt,
  retryKey,
} from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import type { DeliveryMessage } from '../platform/queues/messages.ts'
import { batchPut } from '../platform/table/batches.ts'
import { getItem, ifConditionHolds, onCondition, putItem, updateItem } from '../platform/table/table.ts'
import { HOUR, MINUTE } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { DeliveryState } from './rules/after-attempt.ts'
import { Delivery, type DeliveryAttempt } from './webhook.ts'

/** The sweep looks at a pending delivery at `due`. */
const pendingPlacement = ({ delivery_id, attempts, owner }: Delivery, due: Instant): Placement => ({
  due_key: retryKey(deliveryPartsOf(delivery_id)),
  due_at: dueAt(due, attempts.length + 1, owner),
})

/** Values of a write that sets this placement: `due_key = :key, due_at = :due`. */
const valuesOf = ({ due_key, due_at }: Placement) => ({ ':key': due_key, ':due': due_at })
const placementValues = (delivery: Delivery, due: Instant) => valuesOf(pendingPlacement(delivery, due))
const failedValues = ({ delivery_id, owner }: Delivery) => valuesOf(failedPlacement(deliveryPartsOf(delivery_id), owner))

/** Milliseconds. Outside the slow lane, the message about a first attempt is in the queue, or among the dead letters, for at most this long. */
export const MESSAGE_KEPT = 6 * HOUR

/** `either`: a first attempt may depend on its queue message alone. */
export const deliveryPlacement = (delivery: Delivery, at: Instant): Placement | 'either' | undefined => {
  const { status, attempts, created_time, next_attempt_time } = delivery
  if (status === 'failed') return failedPlacement(deliveryPartsOf(delivery.delivery_id), delivery.owner)
  if (status !== 'pending') return undefined
  const mayHaveMessage = attempts.length === 0 && (next_attempt_time ?? created_time) > at - MESSAGE_KEPT
  return mayHaveMessage ? 'either' : pendingPlacement(delivery, at)
}

/** Also in the list index: it gives a subscription's log without the cost of reading payloads. */
const deliveryItem = (delivery: Delivery): Key & Record<string, unknown> => {
  const parts = deliveryPartsOf(delivery.delivery_id)
  return { ...deliveryKey(parts), ...delivery, owner_block: deliveryList(parts), position: parts.time }
}

const insertItem = (item: Key & Record<string, unknown>): Promise<boolean> =>
  ifConditionHolds(putItem(item, { ConditionExpression: 'attribute_not_exists(pk)' }))

/** @returns false when the event already has a delivery to the subscription; that one stays as it is */
export const insertDelivery = (delivery: Delivery): Promise<boolean> => insertItem(deliveryItem(delivery))

/** Milliseconds after which the sweep checks whether the message about a delivery was lost. */
const LOOK_AFTER = 5 * MINUTE

/** Parallel writes of repeats, each of which is conditional. */
const REPEAT_LANES = 32

/**
 * Inserts deliveries of events that do not come from the stream, so nothing repeats them. If their messages are lost, the sweep finds them.
 * `isRepeat`: an earlier run may have written some of them, which stay as they are.
 * @throws Error when some of them may not have been written
 */
export const insertWatchedDeliveries = async (deliveries: readonly Delivery[], at: Instant, isRepeat = false): Promise<void> => {
  const items = deliveries.map((delivery) => ({ ...deliveryItem(delivery), ...pendingPlacement(delivery, at + LOOK_AFTER) }))
  if (!isRepeat) return batchPut(items)
  await inLanes(REPEAT_LANES, items, async (item) => void (await insertItem(item)))
}

/**
 * Sends a delivery again, whatever its status: at once, and then by the retry schedule.
 * @returns undefined when it has changed since it was read
 */
export const reviveDelivery = async (delivery: Delivery, at: Instant): Promise<Delivery | undefined> => {
  const earlier = delivery.status === 'pending' ? delivery.earlier_attempts : delivery.attempts.length
  const revived = await onCondition(
    updateItem(deliveryKey(deliveryPartsOf(delivery.delivery_id)), {
      UpdateExpression:
        'SET #status = :pending, next_attempt_time = :at, earlier_attempts = :earlier, due_key = :key, due_at = :due REMOVE begun_time',
      ConditionExpression: '#status = :seen AND size(attempts) = :known',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':at': at,
        ':earlier': earlier,
        ...placementValues(delivery, at + LOOK_AFTER),
        ':seen': delivery.status,
        ':known': delivery.attempts.length,
      },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return revived.isMet ? v.parse(Delivery, revived.result) : undefined
}

/**
 * Postpones the attempt that is due. Its placement in the due index is later still, because its message is on the way.
 * @returns false when another worker has postponed or claimed it
 */
export const deferAttempt = (delivery: Delivery, until: Instant): Promise<boolean> =>
  ifConditionHolds(
    updateItem(deliveryKey(deliveryPartsOf(delivery.delivery_id)), {
      UpdateExpression: 'SET next_attempt_time = :until, due_key = :key, due_at = :due',
      ConditionExpression: '#status = :pending AND next_attempt_time = :seen',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':until': until,
        ...placementValues(delivery, until + LOOK_AFTER),
        ':pending': 'pending',
        ':seen': delivery.next_attempt_time,
      },
    }),
  )

/** @returns undefined also when the id is malformed */
export const getDelivery = async (id: string): Promise<Delivery | undefined> => {
  const parts = parseDeliveryId(id)
  return parts && getItem(Delivery, deliveryKey(parts))
}

/** The lease of a delivery's attempt that begins now. */
interface Claim {
  readonly begun: Instant
  /** No other run makes the attempt before this time. */
  readonly until: Instant
}

/**
 * Claims the attempt that is due. Its placement in the due index stays, so that the sweep finds a lost attempt.
 * A first attempt may have no placement, and gets one.
 * @returns false when another message has claimed it
 */
export const claimAttempt = (delivery: Delivery, { begun, until }: Claim): Promise<boolean> => {
  const isFirst = delivery.attempts.length === 0
  return ifConditionHolds(
    updateItem(deliveryKey(deliveryPartsOf(delivery.delivery_id)), {
      UpdateExpression: `SET next_attempt_time = :until, begun_time = :begun${isFirst ? ', due_key = :key, due_at = :due' : ''}`,
      ConditionExpression: '#status = :pending AND next_attempt_time = :seen',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':until': until,
        ':begun': begun,
        ':pending': 'pending',
        ':seen': delivery.next_attempt_time,
        ...(isFirst && placementValues(delivery, until)),
      },
    }),
  )
}

/**
 * Logs an attempt that was cut short, and claims the next one. The retry schedule does not count the lost one.
 * @returns the delivery after this write; undefined when another message has claimed the attempt
 */
export const claimAfter = async (delivery: Delivery, lost: DeliveryAttempt, { begun, until }: Claim): Promise<Delivery | undefined> => {
  const update = await onCondition(
    updateItem(deliveryKey(deliveryPartsOf(delivery.delivery_id)), {
      UpdateExpression:
        'SET attempts = list_append(attempts, :lost), earlier_attempts = :earlier, next_attempt_time = :until, begun_time = :begun, due_key = :key, due_at = :due',
      ConditionExpression: '#status = :pending AND next_attempt_time = :seen AND size(attempts) = :known',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':lost': [lost],
        ':earlier': delivery.earlier_attempts + 1,
        ':until': until,
        ':begun': begun,
        ...placementValues({ ...delivery, attempts: [...delivery.attempts, lost] }, until),
        ':pending': 'pending',
        ':seen': delivery.next_attempt_time,
        ':known': delivery.attempts.length,
      },
      ReturnValues: 'ALL_NEW',
    }),
  )
  return update.isMet ? v.parse(Delivery, update.result) : undefined
}

/** A failed delivery keeps a placement, which lists it. */
const nextPlacement = (delivery: Delivery, state: DeliveryState) => {
  if (state.status === 'delivered' || state.status === 'disabled') {
    return { expression: ' REMOVE begun_time, next_attempt_time, due_key, due_at', values: {} }
  }
  const next = state.status === 'pending' ? state.next_attempt_time : null
  return {
    expression: ', next_attempt_time = :next, due_key = :key, due_at = :due REMOVE begun_time',
    values: { ':next': next, ...(next === null ? failedValues(delivery) : placementValues(delivery, next)) },
  }
}

/**
 * Adds the attempts to the log and writes the delivery's new state.
 * @returns false when another worker did so since the delivery was read; these attempts are then not logged
 */
export const recordAttempt = (delivery: Delivery, made: readonly DeliveryAttempt[], state: DeliveryState): Promise<boolean> => {
  const placement = nextPlacement({ ...delivery, attempts: [...delivery.attempts, ...made] }, state)
  return ifConditionHolds(
    updateItem(deliveryKey(deliveryPartsOf(delivery.delivery_id)), {
      UpdateExpression: `SET #status = :status, attempts = list_append(attempts, :made), earlier_attempts = :earlier${placement.expression}`,
      ConditionExpression: '#status = :pending AND size(attempts) = :known',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':status': state.status,
        ':made': made,
        ':earlier': delivery.earlier_attempts,
        ':pending': 'pending',
        ':known': delivery.attempts.length,
        ...placement.values,
      },
    }),
  )
}

/** A due delivery, as the index shows it. The index lags behind the table. */
export interface DueDelivery {
  readonly message: DeliveryMessage
  readonly due: Instant
}

const listed = ({ pk, sk, due_at }: Entry): DueDelivery => {
  const parts = parseDeliveryKey({ pk, sk })
  const { instant, owner } = parseDueAt(due_at)
  return { message: { owner, subscription: parts.subscription, delivery_id: deliveryId(parts) }, due: instant }
}

/** Deliveries of a partition (see `RETRY_KEYS`) that were due before `until`, page by page: see `overduePages`. */
export async function* overdueDeliveryPages(key: string, until: Instant): AsyncGenerator<DueDelivery[]> {
  for await (const page of overduePages(key, until)) yield page.map(listed)
}

/** All deliveries of a partition that are due from `from` (included) until `until` (excluded), page by page. */
export async function* dueDeliveryPages(key: string, from: Instant, until: Instant): AsyncGenerator<DueDelivery[]> {
  for await (const page of duePages(key, from, until)) yield page.map(listed)
}
