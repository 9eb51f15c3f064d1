import * as v from 'valibot'
import { Count } from '../../http/responses/values.ts'
import { Id } from '../../platform/values/values.ts'

/** The API user that the key belongs to. */
export const UserResponse = v.strictObject({
  id: Id,
  name: v.string(),
  is_staff: v.boolean(),
  paused: v.pipe(v.boolean(), v.description('All outbound calls are paused.')),
  paused_existing_leads: v.pipe(v.boolean(), v.description('Outbound calls to the leads that existed when they were paused are paused.')),
  dnc_group: v.string(),
  lines: v.strictObject({
    limit: v.pipe(Count, v.description('Calls in progress at the same time, at most.')),
    in_use: Count,
  }),
  default_lead_type: v.nullable(Id),
})
