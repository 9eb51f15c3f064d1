import * as v from 'valibot'
import { absentAsNull, Id, Instant, JsonObject } from '../../platform/values/values.ts'
import { Lead } from '../lead.ts'

const plain = v.partial(
  v.pick(Lead, [
    ...(['email', 'phone_number', 'status', 'status_detail', 'lead_type', 'representative', 'external_id'] as const),
    ...(['us_state', 'lead_source', 'sms_dnc', 'call_dnc'] as const),
  ]),
)

/** The fields that an accepted update sets, coerced already: what is absent stays as it is. */
const AcceptedPatch = v.object({
  ...plain.entries,
  metadata: v.optional(v.nullable(JsonObject)),
})

export const TASK_STATUSES = ['queued', 'applied', 'failed'] as const

/** A change of a lead that was accepted and is made later. It holds all it takes, as JSON text: its message may be lost. */
export const Task = v.object({
  task_id: v.string(),
  owner: Id,
  lead: Id,
  /** Acceptance sequence of the change. */
  accepted: v.string(),
  status: v.picklist(TASK_STATUSES),
  /** Why it failed, in the words of a rejected bulk item. */
  error: absentAsNull(v.string()),
  /** Until it is done. */
  patch: absentAsNull(v.pipe(v.string(), v.parseJson(), AcceptedPatch)),
  updated_time: Instant,
  /** Epoch seconds, once it is done: nothing accepted is forgotten before. */
  expires_at: absentAsNull(v.number()),
})
export type Task = v.InferOutput<typeof Task>

/** Queue message: make the change that was accepted. */
export const TaskMessage = v.object({ task_id: v.string() })
export type TaskMessage = v.InferOutput<typeof TaskMessage>
