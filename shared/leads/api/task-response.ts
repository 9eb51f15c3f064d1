import * as v from 'valibot'
import { DateTime } from '../../http/responses/values.ts'
import { Id } from '../../platform/values/values.ts'
import { TASK_STATUSES } from '../bulk/task.ts'

/** The state of an update that was accepted in bulk. */
export const TaskResponse = v.strictObject({
  task_id: v.pipe(v.string(), v.uuid()),
  status: v.picklist(TASK_STATUSES),
  error: v.nullable(v.string()),
  lead: Id,
  updated_time: DateTime,
})
