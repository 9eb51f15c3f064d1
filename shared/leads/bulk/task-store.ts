import { type Entry, overduePages } from '../../backlog/due.ts'
import { dueAt, type Key, type Placement, parseDueAt, parseTaskKey, taskDueKey, taskKey } from '../../platform/keys.ts'
import { batchPut } from '../../platform/table/batches.ts'
import { expiresAt, isKept } from '../../platform/table/expiry.ts'
import { getItem, ifConditionHolds, updateItem } from '../../platform/table/table.ts'
import { DAY } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { Task } from './task.ts'

/** Milliseconds. Finished tasks are kept for seven days. */
export const TASK_KEPT = 7 * DAY

/** A task that is still queued at `due` is sent again. */
export const taskPlacement = ({ task_id, owner, status }: Task, due: Instant): Placement | undefined =>
  status === 'queued' ? { due_key: taskDueKey(task_id), due_at: dueAt(due, 0, owner) } : undefined

const taskItem = (task: Task, due: Instant): Key & Record<string, unknown> => ({
  ...taskKey(task.task_id),
  ...task,
  patch: task.patch && JSON.stringify(task.patch),
  ...(taskPlacement(task, due) ?? { expires_at: expiresAt(task.updated_time, TASK_KEPT) }),
})

/** Stores new tasks. A task that is still queued at `due` counts as lost. */
export const insertTasks = (tasks: readonly Task[], due: Instant): Promise<void> => batchPut(tasks.map((task) => taskItem(task, due)))

/** Strongly consistent. Undefined also when the task has expired by `at`, even if the table still holds it. */
export const getTask = async (id: string, at: Instant): Promise<Task | undefined> => {
  const task = await getItem(Task, taskKey(id))
  return task && isKept(task, at) ? task : undefined
}

/** Finishes a queued task: applied, or failed with an error. Idempotent: a finished task stays as it is. */
export const endTask = async (id: string, error: string | null, at: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(taskKey(id), {
      UpdateExpression: `SET #status = :status, updated_time = :at, expires_at = :expires_at${error === null ? '' : ', #error = :error'} REMOVE patch, due_key, due_at`,
      ConditionExpression: '#status = :queued',
      ExpressionAttributeNames: { '#status': 'status', ...(error !== null && { '#error': 'error' }) },
      ExpressionAttributeValues: {
        ':status': error === null ? 'applied' : 'failed',
        ':queued': 'queued',
        ':at': at,
        ':expires_at': expiresAt(at, TASK_KEPT),
        ...(error !== null && { ':error': error }),
      },
    }),
  )
}

/** A queued task whose message seems lost. It was sent again `times` times. */
interface LostTask {
  readonly task_id: string
  readonly owner: number
  readonly times: number
  /** The task's sort key in the due index. */
  readonly place: string
}

const lostTask = ({ pk, sk, due_at }: Entry): LostTask => {
  const { attempt, owner } = parseDueAt(due_at)
  return { task_id: parseTaskKey({ pk, sk }), owner, times: attempt, place: due_at }
}

/** Lost tasks of a partition (see `TASK_KEYS`), due before `until`, page by page: see `overduePages`. */
export async function* lostTaskPages(key: string, until: Instant): AsyncGenerator<LostTask[]> {
  for await (const page of overduePages(key, until)) yield page.map(lostTask)
}

/** Records that a task was sent again. It counts as lost again only at `due`, so that other tasks get their turn. */
export const postponeTask = async ({ task_id, owner, times, place }: LostTask, due: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(taskKey(task_id), {
      UpdateExpression: 'SET due_at = :due_at',
      ConditionExpression: 'due_at = :place',
      ExpressionAttributeValues: { ':due_at': dueAt(due, times + 1, owner), ':place': place },
    }),
  )
}
