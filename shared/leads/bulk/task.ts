import * as v from 'valibot'
import { absentAsNull, Id, Instant, JsonObject } from '../../platform/values/values.ts'
import { Lead } from '../lead.ts'
import { UPDATED_FIELDS } from '../rules/lead-fields.ts'

/** The fields that an accepted update sets, already coerced. Absent fields stay unchanged. */
const AcceptedPatch = v.object({
  ...v.partial(v.pick(Lead, UPDATED_FIELDS)).entries,
  metadata: v.optional(v.nullable(JsonObject)),
})

export const TASK_STATUSES = ['queued', 'applied', 'failed'] as const

/** An accepted change of a lead that is applied later. It contains the whole change as JSON text, because its message may be lost. */
export const Task = v.object({
  task_id: v.string(),
  owner: Id,
  lead: Id,
  /** The staff member who made the request for the owner, for audit records. */
  staff: v.optional(Id),
  /** Acceptance sequence of the change. */
  accepted: v.string(),
  status: v.picklist(TASK_STATUSES),
  /** Why the task failed, worded like the error of a bulk item. */
  error: absentAsNull(v.string()),
  /** Null once the task is finished. */
  patch: absentAsNull(v.pipe(v.string(), v.parseJson(), AcceptedPatch)),
  updated_time: Instant,
  /** Epoch seconds. Set when the task is finished: an unfinished task never expires. */
  expires_at: absentAsNull(v.number()),
})
export type Task = v.InferOutput<typeof Task>

/** Queue message: apply the accepted change. */
export const TaskMessage = v.object({ task_id: v.string() })
export type TaskMessage = v.InferOutput<typeof TaskMessage>
