import { requestSender } from '#shared/backlog/dispatch.ts'
import { takeBulkTurn } from '#shared/leads/bulk/bulk-pace.ts'
import { refusalReason } from '#shared/leads/bulk/refusal.ts'
import { type Task, TaskMessage } from '#shared/leads/bulk/task.ts'
import { endTask, getTask } from '#shared/leads/bulk/task-store.ts'
import { updateLead } from '#shared/leads/update-lead.ts'
import { now, realNow } from '#shared/platform/clock.ts'
import { consume, RetryMessage } from '#shared/platform/queues/queue-consumer.ts'
import { forOwner } from '#shared/platform/table/busy.ts'
import { SECOND } from '#shared/platform/values/durations.ts'

/** How long an update waits for its turn. Then it returns to its queue. */
const PATIENCE = 10 * SECOND

const apply = async ({ task_id, owner, lead, staff, patch, accepted }: Task): Promise<void> => {
  if (!(await takeBulkTurn(realNow() + PATIENCE))) throw new RetryMessage('The table is too busy for a bulk update.')
  // Needs no `finish`: it sends one lead, and looks at the lines after the lead is written.
  const { send } = requestSender(1)
  const error = await refusalReason(updateLead(owner, lead, patch ?? {}, { cause: 'MANUAL', accepted, staff, send }))
  await endTask(task_id, error, now())
}

/**
 * Makes accepted updates. Safe to repeat, and in any order: acceptance sequences on the lead decide which update still counts. An update
 * that the lead refuses has failed for good.
 */
export const handler = consume(TaskMessage, async ({ task_id }) => {
  const task = await getTask(task_id, now())
  if (task?.status === 'queued') await forOwner(task.owner, () => apply(task))
})
