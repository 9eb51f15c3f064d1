import { type Key, keyPart, shardOf } from './key.ts'

export const taskKey = (task: string): Key => ({ pk: `TASK#${task}`, sk: 'TASK' })

/** @throws Error when the key is not a task's. */
export const parseTaskPk = (pk: string): string => keyPart(pk, /^TASK#(.+)$/, 'a task')

/** Number of partitions of the due index for tasks that are not done. */
export const TASK_SHARDS = 4

export const taskShardKey = (shard: number): string => `TASK#${shard}`
/** Partition of the due index for a task, until it is done. */
export const taskDueKey = (task: string): string => taskShardKey(shardOf(task, TASK_SHARDS))
