import * as v from 'valibot'
import { DateTime } from '../../http/responses/values.ts'
import { Id } from '../../platform/values/values.ts'
import { TASK_STATUSES } from '../bulk/task.ts'

const Failed = v.strictObject({ id: v.null(), action: v.literal('error'), error: v.string() })

const lead = { id: Id, phone_number: v.string(), external_id: v.nullable(v.string()) }

const Created = v.strictObject({
  ...lead,
  action: v.literal('created'),
  enqueue_error: v.optional(
    v.pipe(
      v.literal(true),
      v.description('The lead exists and will be called, but not at once: the first message for it could not be sent.'),
    ),
  ),
})

const Reengaged = v.strictObject({ ...lead, action: v.literal('reengaged') })

/** An update instead of a create: the lead type merges a second open lead of a phone into the first. */
const Updated = v.strictObject({ ...lead, action: v.literal('updated') })

const Queued = v.strictObject({ id: Id, action: v.literal('queued'), task_id: v.pipe(v.string(), v.uuid()) })

/** The result for each lead, in the order of the request. */
export const BulkCreateResponse = v.strictObject({ results: v.array(v.variant('action', [Created, Reengaged, Updated, Failed])) })

/** The result for each update, in the order of the request. */
export const BulkUpdateResponse = v.strictObject({ results: v.array(v.variant('action', [Queued, Failed])) })

/** The state of one update of a bulk request. It is applied in the background. */
export const TaskResponse = v.strictObject({
  task_id: v.pipe(v.string(), v.uuid()),
  status: v.picklist(TASK_STATUSES),
  error: v.nullable(v.string()),
  lead: Id,
  updated_time: DateTime,
})
