import * as v from 'valibot'
import { CallbackTimer } from '#shared/backlog/callback-timer.ts'
import { timerPlacement } from '#shared/backlog/promises.ts'
import { holderOfPart } from '#shared/backlog/rules/holders.ts'
import { callFromItem, callPlacement } from '#shared/calling/call-store.ts'
import { Task } from '#shared/leads/bulk/task.ts'
import { taskPlacement } from '#shared/leads/bulk/task-store.ts'
import { leadFromItem, leadPlacement } from '#shared/leads/lead-store.ts'
import { now } from '#shared/platform/clock.ts'
import {
  callbackTimerKey,
  callKeyOf,
  deliveryKey,
  heldKey,
  type Key,
  leadKey,
  type Placement,
  parseDeliveryId,
  parseDueAt,
  RETRY_KEYS,
  TASK_KEYS,
  taskKey,
  uploadKey,
  WATCH_KEYS,
} from '#shared/platform/keys.ts'
import type { Item } from '#shared/platform/table/as-read.ts'
import { isKept } from '#shared/platform/table/expiry.ts'
import { absentAsNull, type Instant } from '#shared/platform/values/values.ts'
import { Upload } from '#shared/uploads/upload.ts'
import { uploadPlacement } from '#shared/uploads/upload-store.ts'
import { deliveryPlacement } from '#shared/webhooks/delivery-store.ts'
import { Delivery } from '#shared/webhooks/webhook.ts'

/** The service never looks again at an item whose placement is missing. */

const timerKeyOf = (id: string): Key | undefined => {
  const [, lead, promised] = /^(\d+)-(\d+)$/.exec(id) ?? []
  return lead && promised ? callbackTimerKey(Number(lead), Number(promised)) : undefined
}

const deliveryKeyOf = (id: string): Key | undefined => {
  const parts = parseDeliveryId(id)
  return parts && deliveryKey(parts)
}

interface DueType {
  /** The placement that an item needs. Undefined: it must not be in the index. `either`: it may be there or not. */
  readonly placement: (item: Item, at: Instant) => Placement | 'either' | undefined
  /** Attributes that decide this. The item always has at least one of them. */
  readonly seen: readonly string[]
  readonly idOf: (item: Item) => string
  /** Undefined when the id is malformed. */
  readonly keyOf: (id: string) => Key | undefined
}

/** The types of items that the due index lists. */
export const DUE_TYPES = {
  lead: {
    placement: (item) => leadPlacement(leadFromItem(item)),
    seen: ['version'],
    idOf: (item) => `${item['id']}`,
    keyOf: (id) => (/^\d+$/.test(id) ? leadKey(Number(id)) : undefined),
  },
  call: {
    placement: (item, at) => callPlacement(callFromItem(item), at),
    seen: ['call_id', 'settled_time'],
    idOf: (item) => `${item['call_id']}`,
    keyOf: callKeyOf,
  },
  timer: {
    placement: (item) => timerPlacement(v.parse(CallbackTimer, item)),
    seen: ['lead', 'expires_at'],
    idOf: (item) => `${item['lead']}-${item['promised_time']}`,
    keyOf: timerKeyOf,
  },
  delivery: {
    placement: (item, at) => deliveryPlacement(v.parse(Delivery, item), at),
    seen: ['status', 'attempts'],
    idOf: (item) => `${item['delivery_id']}`,
    keyOf: deliveryKeyOf,
  },
  upload: {
    placement: (item, at) => uploadPlacement(v.parse(Upload, item), at),
    seen: ['upload_id', 'status'],
    // A lane's id ends in its number.
    idOf: (item) => [item['upload_id'], ...(item['lane'] ? [item['lane']] : [])].join('#'),
    keyOf: (id) => uploadKey(id.replace(/#\d+$/, ''), Number(/#(\d+)$/.exec(id)?.[1] ?? 0)),
  },
  task: {
    placement: (item, at) => taskPlacement(v.parse(Task, item), at),
    seen: ['task_id', 'status'],
    idOf: (item) => `${item['task_id']}`,
    keyOf: taskKey,
  },
} as const satisfies Record<string, DueType>

export type DueTypeName = keyof typeof DUE_TYPES

export const isDueType = (type: string): type is DueTypeName => Object.hasOwn(DUE_TYPES, type)

const isDueAt = (text: unknown): boolean => {
  try {
    parseDueAt(`${text}`)
    return true
  } catch {
    return false
  }
}

const Expiring = v.object({ expires_at: absentAsNull(v.number()) })

/** An earlier version had no parts of holders. The sweep still releases the leads in its lists. */
const isFormerList = (stored: unknown, needed: string): boolean => needed.startsWith(heldKey('')) && holderOfPart(needed) === stored

/** The sweep looks at all partitions of each list, and an earlier version had fewer of them. So any of them will do. */
const SWEPT: readonly (readonly unknown[])[] = [WATCH_KEYS, RETRY_KEYS, TASK_KEYS]

const isSamePlace = (stored: unknown, needed: string): boolean =>
  stored === needed || SWEPT.some((keys) => keys.includes(needed) && keys.includes(stored)) || isFormerList(stored, needed)

/** `missing`: the placement that the item needs. `surplus`: it must have none. */
export type Misplaced = { readonly missing: Placement } | 'surplus' | undefined

export const misplaced = (type: DueTypeName, item: Item): Misplaced => {
  const at = now()
  const needed = DUE_TYPES[type].placement(item, at)
  if (needed === 'either' || !isKept(v.parse(Expiring, item), at)) return undefined
  const { due_key, due_at } = item
  if (!needed) return due_key === undefined && due_at === undefined ? undefined : 'surplus'
  // The fields of a lead decide its `due_at`. The other types may have been postponed.
  const isPlaced = isSamePlace(due_key, needed.due_key) && (type === 'lead' ? due_at === needed.due_at : isDueAt(due_at))
  return isPlaced ? undefined : { missing: needed }
}
