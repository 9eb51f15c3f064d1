import * as v from 'valibot'
import { CallbackTimer } from '#shared/backlog/callback-timer.ts'
import { LATE_AFTER } from '#shared/backlog/promises.ts'
import { callFromItem } from '#shared/calling/call-store.ts'
import { Task } from '#shared/leads/bulk/task.ts'
import { leadFromItem, leadItem } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import {
  callbackTimerKey,
  callKey,
  deliveryKey,
  dueAt,
  type Key,
  leadKey,
  parseCallId,
  parseDeliveryId,
  parseDueAt,
  retryKey,
  taskDueKey,
  taskKey,
  uploadDueKey,
  uploadKey,
  watchKey,
} from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { isKept } from '#shared/platform/table/expiry.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { Upload } from '#shared/uploads/upload.ts'
import { Delivery } from '#shared/webhooks/webhook.ts'

/** Where items must stand in the due index. The service never looks again at an item that is missing there. */

interface Place {
  readonly due_key: string
  readonly due_at: string
  /** Whether `due_at` is exact, so that any other instant is wrong. */
  readonly exact: boolean
}

/** `either`: for now the item may be in the index or not. */
type Expected = Place | 'none' | 'either'

const at = (due_key: string, instant: Instant, attempt: number, owner: number): Place => ({
  due_key,
  due_at: dueAt(instant, attempt, owner),
  exact: false,
})

const Listed = v.object({ due_key: v.string(), due_at: v.string() })

const ofLead = (item: Item): Expected => {
  const listed = v.safeParse(Listed, leadItem(leadFromItem(item)))
  return listed.success ? { ...listed.output, exact: true } : 'none'
}

const ofCall = (item: Item): Expected => {
  const { settled_time, lead, attempt, owner } = callFromItem(item)
  return settled_time === null ? at(watchKey(lead), now(), attempt, owner) : 'none'
}

const ofTimer = (item: Item): Expected => {
  const { lead, owner, promised_time } = v.parse(CallbackTimer, item)
  return item['expires_at'] === undefined ? at(watchKey(lead), promised_time + LATE_AFTER, 0, owner) : 'none'
}

/**
 * Milliseconds. A first attempt depends on its queue message alone. The message is in the queue or among the dead letters for at most this
 * long.
 */
const ON_ITS_WAY = 6 * HOUR

const ofDelivery = (item: Item): Expected => {
  const delivery = v.parse(Delivery, item)
  const { status, attempts, owner, created_time, next_attempt_time, delivery_id } = delivery
  if (!isKept(delivery, now())) return 'either'
  if (status !== 'pending') return 'none'
  if (attempts.length === 0 && (next_attempt_time ?? created_time) > now() - ON_ITS_WAY) return 'either'
  return at(retryKey(parseDeliveryId(delivery_id)?.shard ?? 0), now(), attempts.length + 1, owner)
}

const ofUpload = (item: Item): Expected => {
  const upload = v.parse(Upload, item)
  if (!isKept(upload, now())) return 'either'
  return upload.status === 'waiting' || upload.status === 'processing' ? at(uploadDueKey(upload.upload_id), now(), 0, upload.owner) : 'none'
}

const ofTask = (item: Item): Expected => {
  const { status, task_id, owner } = v.parse(Task, item)
  return status === 'queued' ? at(taskDueKey(task_id), now(), 0, owner) : 'none'
}

const timerKeyOf = (id: string): Key | undefined => {
  const [, lead, promised] = /^(\d+)-(\d+)$/.exec(id) ?? []
  return lead && promised ? callbackTimerKey(Number(lead), Number(promised)) : undefined
}

const deliveryKeyOf = (id: string): Key | undefined => {
  const parts = parseDeliveryId(id)
  return parts && deliveryKey(parts)
}

const callKeyOf = (id: string): Key | undefined => {
  const parts = parseCallId(id)
  return parts && callKey(parts.lead, parts.attempt)
}

interface Listable {
  readonly expected: (item: Item) => Expected
  /** Attributes that decide this. The item always has at least one of them. */
  readonly seen: readonly string[]
  readonly idOf: (item: Item) => string
  /** Undefined when the id is malformed. */
  readonly keyOf: (id: string) => Key | undefined
}

export const LISTABLE = {
  lead: {
    expected: ofLead,
    seen: ['version'],
    idOf: (item) => `${item['id']}`,
    keyOf: (id) => (/^\d+$/.test(id) ? leadKey(Number(id)) : undefined),
  },
  call: { expected: ofCall, seen: ['call_id', 'settled_time'], idOf: (item) => `${item['call_id']}`, keyOf: callKeyOf },
  timer: {
    expected: ofTimer,
    seen: ['lead', 'expires_at'],
    idOf: (item) => `${item['lead']}-${item['promised_time']}`,
    keyOf: timerKeyOf,
  },
  delivery: { expected: ofDelivery, seen: ['status', 'attempts'], idOf: (item) => `${item['delivery_id']}`, keyOf: deliveryKeyOf },
  upload: { expected: ofUpload, seen: ['upload_id', 'status'], idOf: (item) => `${item['upload_id']}`, keyOf: uploadKey },
  task: { expected: ofTask, seen: ['task_id', 'status'], idOf: (item) => `${item['task_id']}`, keyOf: taskKey },
} as const satisfies Record<string, Listable>

export type ListableType = keyof typeof LISTABLE

export const isListable = (type: string): type is ListableType => Object.hasOwn(LISTABLE, type)

const isPlace = (text: unknown): boolean => {
  try {
    parseDueAt(`${text}`)
    return true
  } catch {
    return false
  }
}

/** `missing`: the entry that it should have in the index. `surplus`: it should have none. */
export type Misplaced = { readonly missing: Place } | 'surplus' | undefined

export const misplaced = (type: ListableType, item: Item): Misplaced => {
  const expected = LISTABLE[type].expected(item)
  const { due_key, due_at } = item
  if (expected === 'either') return undefined
  if (expected === 'none') return due_key === undefined && due_at === undefined ? undefined : 'surplus'
  const stands = due_key === expected.due_key && (expected.exact ? due_at === expected.due_at : isPlace(due_at))
  return stands ? undefined : { missing: expected }
}
