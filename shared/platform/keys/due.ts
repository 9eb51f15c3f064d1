import { createHash } from 'node:crypto'
import type { Instant } from '../values/values.ts'
import { type Key, keyPart, shardOf } from './key.ts'

/** Number of partitions of the due index for the due leads of one owner. A partition takes a thousand changes a second. */
const DUE_SHARDS = 4
export const shardsOf = (count: number): number[] => Array.from({ length: count }, (_, shard) => shard)

/** Partition of the due index for a lead with a next call. */
export const dueKey = (owner: number, lead: number): string => `DUE#${owner}#${lead % DUE_SHARDS}`
/** All partitions of an owner's due leads. */
export const dueKeys = (owner: number): string[] => shardsOf(DUE_SHARDS).map((shard) => dueKey(owner, shard))

/** Until version 1.0.2: the partitions of all due leads, and those of an owner's leads that waited for a line or were paused. */
export const FORMER_DUE_KEYS = shardsOf(DUE_SHARDS).map((shard) => `CALL#${shard}`)
export const formerKey = (list: 'WAIT' | 'PARKED', owner: number): string => `${list}#${owner}`

/**
 * Partition of the due index for the leads of a holder, or of a part of one. Until version 1.0.2, no holder had parts.
 * @param name see `partOf`
 */
export const heldKey = (name: string): string => `HELD#${name}`

/** Number of partitions of the due index for calls in progress. Until version 1.0.2 there were four. */
export const WATCH_SHARDS = 16
export const watchKey = (lead: number): string => `WATCH#${lead % WATCH_SHARDS}`
/** All these partitions. The sweep looks at each, so any of them will do for a call. */
export const WATCH_KEYS = shardsOf(WATCH_SHARDS).map(watchKey)

const OWNER_SHARDS = 4
const ownersKey = (owner: number): string => `OWNERS#${owner % OWNER_SHARDS}`
/** The partitions of the due index that list all owners. */
export const OWNERS_KEYS = shardsOf(OWNER_SHARDS).map(ownersKey)
/**
 * Partition of the due index with the marks of agents and of most settings. An earlier version also marked leads and litigators here. The
 * sweep still finds these marks.
 */
export const BREAKERS = 'BREAKERS'
/** Number of partitions of the due index for the marks of leads and litigators. One file can mark a hundred thousand. */
const MARKED_SHARDS = 16
const markedKey = (shard: number): string => `MARKED#${shard}`
export const MARKED_KEYS = shardsOf(MARKED_SHARDS).map(markedKey)
/** Whether a holder is a lead or a litigator. */
export const isMarkedApart = (holder: string): boolean => /^(lead|litigator) /.test(holder)
/** Partition of the due index for the mark of a holder. The name is hashed, because `shardOf` needs hexadecimal digits. */
export const markKey = (holder: string): string =>
  isMarkedApart(holder) ? markedKey(shardOf(createHash('sha256').update(holder).digest('hex'), MARKED_SHARDS)) : BREAKERS
/** Partition of the due index with the marks of parts. */
export const MARKED_PARTS = 'PARTS'

/** Sort key of the due index. It sorts by instant, and holds all that a message needs, so no read is needed. */
export const dueAt = (instant: Instant, attempt: number, owner: number): string => `${new Date(instant).toISOString()}#${attempt}#${owner}`
/** The first sort key of the due index at or after an instant. */
export const dueFrom = (instant: Instant): string => new Date(instant).toISOString()

/** An item's entry in the due index. */
export interface Placement {
  readonly due_key: string
  readonly due_at: string
}

/** The due index lists every owner, so that the sweep looks at all of them. */
export const ownerPlacement = (owner: number): Placement => ({ due_key: ownersKey(owner), due_at: dueAt(0, 0, owner) })

/** @throws Error when the text is not a sort key of the due index */
export const parseDueAt = (text: string): { instant: Instant; attempt: number; owner: number } => {
  const [iso = '', attempt, owner] = text.split('#')
  const parsed = { instant: Date.parse(iso), attempt: Number(attempt), owner: Number(owner) }
  if (Object.values(parsed).some(Number.isNaN)) throw new Error(`Not a place in the due index: ${text}`)
  return parsed
}

/** @param lane the number of one of its lanes, from 1; 0 for the upload itself */
export const uploadKey = (upload: string, lane = 0): Key => ({ pk: uploadPk(upload), sk: lane === 0 ? 'UPLOAD' : `LANE#${lane}` })
export const uploadPk = (upload: string): string => `UPLOAD#${upload}`

/** Partition of the list index for an owner's uploads. */
export const uploadListKey = (owner: number): string => `UPLOADS#${owner}`

/** @throws Error when the key is not an upload's. */
export const parseUploadPk = (pk: string): string => keyPart(pk, /^UPLOAD#(.+)$/, 'an upload')
/** The lane in the sort key of an upload or of one of its lanes. */
export const parseUploadSk = (sk: string): number => (sk === 'UPLOAD' ? 0 : Number(keyPart(sk, /^LANE#(\d+)$/, 'an upload')))

/** Number of partitions of the due index for uploads that are not done. */
export const UPLOAD_SHARDS = 4

export const uploadShardKey = (shard: number): string => `UPLOAD#${shard}`
/** Partition of the due index for an upload, until it is done. */
export const uploadDueKey = (upload: string): string => uploadShardKey(shardOf(upload, UPLOAD_SHARDS))

/** Position of the version in a UUID. Version 8 leaves the other digits to the application. */
const VERSION_AT = 14
const LEAD_DIGITS = 8

/** Id of a task: a UUID of version 8 that ends in the lead's id. @param random a random UUID */
export const taskIdOf = (random: string, lead: number): string =>
  `${random.slice(0, VERSION_AT)}8${random.slice(VERSION_AT + 1, -LEAD_DIGITS)}${lead.toString(16).padStart(LEAD_DIGITS, '0')}`

/** Partition of a lead's tasks. */
export const leadTasksPk = (lead: number): string => `TASK#LEAD#${lead}`

/** Until version 1.0.2, the id of a task did not name the lead. */
export const taskKey = (task: string): Key =>
  task[VERSION_AT] === '8'
    ? { pk: leadTasksPk(Number.parseInt(task.slice(-LEAD_DIGITS), 16)), sk: task }
    : { pk: `TASK#${task}`, sk: 'TASK' }

/** @throws Error when the key is not a task's. */
export const parseTaskKey = ({ pk, sk }: Key): string => (sk === 'TASK' ? keyPart(pk, /^TASK#(.+)$/, 'a task') : sk)

/** Number of partitions of the due index for tasks that are not done. Until version 1.0.2 there were four. */
const TASK_SHARDS = 16
const taskShardKey = (shard: number): string => `TASK#${shard}`
/** Partition of the due index for a task, until it is done. */
export const taskDueKey = (task: string): string => taskShardKey(shardOf(task, TASK_SHARDS))
/** All these partitions. The sweep looks at each. */
export const TASK_KEYS = shardsOf(TASK_SHARDS).map(taskShardKey)
