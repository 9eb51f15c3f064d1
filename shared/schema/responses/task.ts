import * as v from 'valibot'
import { TASK_STATUSES } from '../task.ts'
import { Id } from '../values.ts'
import { DateTime } from './values.ts'

/** How an update accepted in bulk fared. */
export const TaskResponse = v.strictObject({
  task_id: v.pipe(v.string(), v.uuid()),
  status: v.picklist(TASK_STATUSES),
  error: v.nullable(v.string()),
  lead: Id,
  updated_time: DateTime,
})
