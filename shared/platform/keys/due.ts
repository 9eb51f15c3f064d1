import type { DUE_LISTS } from '../../leads/lead.ts'
import type { Instant } from '../values/values.ts'
import { type Key, keyPart, shardOf } from './key.ts'

/** Number of partitions of the due index for due leads, and for calls in progress. */
export const DUE_SHARDS = 4

type DueList = Exclude<(typeof DUE_LISTS)[number], 'HELD'>

/** Partition of the due index for a lead. */
export const dueKey = (list: DueList, owner: number, lead: number): string =>
  list === 'CALL' ? `CALL#${lead % DUE_SHARDS}` : `${list}#${owner}`
export const heldKey = (agent: string): string => `HELD#${agent}`
export const watchKey = (lead: number): string => `WATCH#${lead % DUE_SHARDS}`
export const WAITERS = 'WAITERS'
/** Partition of the due index with the owners whose parked leads are being released. */
export const UNPARKING = 'UNPARKING'
/** Partition of the due index with the agents that are not trusted, or were not a moment ago. */
export const BREAKERS = 'BREAKERS'

/** Sort key of the due index. It sorts by instant, and holds all that a message needs, so no read is needed. */
export const dueAt = (instant: Instant, attempt: number, owner: number): string => `${new Date(instant).toISOString()}#${attempt}#${owner}`
/** The first sort key of the due index at or after an instant. */
export const dueFrom = (instant: Instant): string => new Date(instant).toISOString()

/** An item's entry in the due index. */
export interface Placement {
  readonly due_key: string
  readonly due_at: string
}

/** @throws Error when the text is not a sort key of the due index */
export const parseDueAt = (text: string): { instant: Instant; attempt: number; owner: number } => {
  const [iso = '', attempt, owner] = text.split('#')
  const parsed = { instant: Date.parse(iso), attempt: Number(attempt), owner: Number(owner) }
  if (Object.values(parsed).some(Number.isNaN)) throw new Error(`Not a place in the due index: ${text}`)
  return parsed
}

export const uploadKey = (upload: string): Key => ({ pk: `UPLOAD#${upload}`, sk: 'UPLOAD' })

/** @throws Error when the key is not an upload's. */
export const parseUploadPk = (pk: string): string => keyPart(pk, /^UPLOAD#(.+)$/, 'an upload')

/** Number of partitions of the due index for uploads that are not done. */
export const UPLOAD_SHARDS = 4

export const uploadShardKey = (shard: number): string => `UPLOAD#${shard}`
/** Partition of the due index for an upload, until it is done. */
export const uploadDueKey = (upload: string): string => uploadShardKey(shardOf(upload, UPLOAD_SHARDS))

export const taskKey = (task: string): Key => ({ pk: `TASK#${task}`, sk: 'TASK' })

/** @throws Error when the key is not a task's. */
export const parseTaskPk = (pk: string): string => keyPart(pk, /^TASK#(.+)$/, 'a task')

/** Number of partitions of the due index for tasks that are not done. */
export const TASK_SHARDS = 4

export const taskShardKey = (shard: number): string => `TASK#${shard}`
/** Partition of the due index for a task, until it is done. */
export const taskDueKey = (task: string): string => taskShardKey(shardOf(task, TASK_SHARDS))
