import * as v from 'valibot'
import { Count } from '../../http/responses/values.ts'
import { Id } from '../../platform/values/values.ts'

/** The API user that the key belongs to. */
export const UserResponse = v.strictObject({
  id: Id,
  name: v.string(),
  is_staff: v.boolean(),
  paused: v.pipe(v.boolean(), v.description('All outbound calls are paused.')),
  paused_existing_leads: v.pipe(v.boolean(), v.description('Outbound calls are paused for the leads that existed when the pause began.')),
  dnc_group: v.string(),
  lines: v.strictObject({
    limit: v.pipe(Count, v.description('Maximum number of calls in progress at the same time.')),
    in_use: Count,
  }),
  default_lead_type: v.nullable(Id),
})
