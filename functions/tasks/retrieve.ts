import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import type { Task } from '#shared/leads/bulk/task.ts'
import { getTask } from '#shared/leads/bulk/task-store.ts'
import { now } from '#shared/platform/clock.ts'
import { notFound } from '#shared/platform/values/errors.ts'
import { formatInstant } from '#shared/platform/values/time.ts'

const TaskParams = v.object({ task_id: v.pipe(v.string(), v.uuid()) })

const represent = ({ task_id, status, error, lead, updated_time }: Task) => ({
  task_id,
  status,
  error,
  lead,
  updated_time: formatInstant(updated_time),
})

export const handler = api({ auth: 'token', params: TaskParams }, async ({ user, params }) => {
  const task = await getTask(params.task_id, now())
  if (task?.owner !== user.id) throw notFound()
  return ok(represent(task))
})
