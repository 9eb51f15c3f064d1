import { firstInTurns, ownerOf } from '../../backlog/rules/turns.ts'
import { now } from '../../platform/clock.ts'
import { setting } from '../../platform/environment.ts'
import { send } from '../../platform/queues/queues.ts'
import { HOUR, MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Task, TaskMessage } from './task.ts'
import { lostTaskPages, postponeTask } from './task-store.ts'

/** Milliseconds. A task that is queued for longer counts as lost: its message did not arrive, or every attempt failed. */
const PATIENCE = MINUTE
const MOST_PATIENCE = HOUR

/**
 * When a task that is sent now counts as lost, after `times` resends. The wait doubles with each resend, up to an hour: a task that keeps
 * failing must not delay others.
 */
export const lostFrom = (at: Instant, times: number): Instant => at + Math.min(PATIENCE * 2 ** times, MOST_PATIENCE)

export const sendTasks = (tasks: readonly Pick<Task, 'task_id' | 'owner'>[]): Promise<void> =>
  send(
    setting('UPDATE_QUEUE_URL'),
    tasks.map(({ task_id, owner }) => ({ body: { task_id } satisfies TaskMessage, group: `${owner}` })),
  )

/** Sends lost tasks of a partition (see `TASK_KEYS`) again: at most `limit`. Owners take turns, each with the task that waits longest. */
export const sendLostTasks = async (key: string, limit: number): Promise<void> => {
  const at = now()
  const lost = await firstInTurns(lostTaskPages(key, at), limit, [ownerOf])
  if (lost.length === 0) return
  await sendTasks(lost)
  await Promise.all(lost.map((task) => postponeTask(task, lostFrom(at, task.times + 1))))
}
