import { now } from '#shared/adapters/clock.ts'
import { consume } from '#shared/adapters/queue-consumer.ts'
import { refusalOf } from '#shared/operations/refusal.ts'
import { updateLead } from '#shared/operations/update-lead.ts'
import { type Task, TaskMessage } from '#shared/schema/task.ts'
import { endTask, getTask } from '#shared/storage/tasks.ts'

const apply = async ({ task_id, owner, lead, patch, accepted }: Task): Promise<void> => {
  const error = await refusalOf(updateLead(owner, lead, patch ?? {}, { cause: 'MANUAL', accepted }))
  await endTask(task_id, error, now())
}

/**
 * Makes changes that were accepted before. Safe to repeat, and in any order: the acceptance sequences on the lead decide what
 * still holds. What the lead refuses has failed for good.
 */
export const handler = consume(TaskMessage, async ({ task_id }) => {
  const task = await getTask(task_id, now())
  if (task?.status === 'queued') await apply(task)
})
