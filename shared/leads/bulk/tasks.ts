import { now } from '../../platform/clock.ts'
import { setting } from '../../platform/environment.ts'
import { send } from '../../platform/queues/queues.ts'
import { HOUR, MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Task, TaskMessage } from './task.ts'
import { lostTasks, postponeTask } from './task-store.ts'

/** A task that is queued after this time counts as lost: its message never came, or nobody could handle it. */
const PATIENCE = MINUTE
const MOST_PATIENCE = HOUR

/**
 * When a task that is sent now counts as lost, after it was sent again `times` times. The time doubles with each: what cannot
 * be done must not keep others waiting.
 */
export const lostFrom = (at: Instant, times: number): Instant => at + Math.min(PATIENCE * 2 ** times, MOST_PATIENCE)

export const sendTasks = (tasks: readonly Pick<Task, 'task_id' | 'owner'>[]): Promise<void> =>
  send(
    setting('UPDATE_QUEUE_URL'),
    tasks.map(({ task_id, owner }) => ({ body: { task_id } satisfies TaskMessage, group: `${owner}` })),
  )

/** Sends tasks of a shard (see TASK_SHARDS) that are lost again, at most `limit`: the longest waiting first. */
export const sendLostTasks = async (shard: number, limit: number): Promise<void> => {
  const at = now()
  const lost = await lostTasks(shard, at, limit)
  if (lost.length === 0) return
  await sendTasks(lost)
  await Promise.all(lost.map((task) => postponeTask(task, lostFrom(at, task.times + 1))))
}
