import * as v from 'valibot'
import { Count } from '../../http/responses/values.ts'
import { Id } from '../../platform/values/values.ts'

const paused = v.pipe(v.boolean(), v.description('All outbound calls are paused.'))
const pausedExisting = v.pipe(v.boolean(), v.description('Outbound calls are paused for the leads that existed when the pause began.'))

/** A user in the list that staff choose from. */
export const ListedUserResponse = v.strictObject({
  id: Id,
  name: v.string(),
  is_staff: v.boolean(),
  paused,
  paused_existing_leads: pausedExisting,
})

/** The API user that the request is made for. */
export const UserResponse = v.strictObject({
  id: Id,
  name: v.string(),
  is_staff: v.pipe(v.boolean(), v.description('False while staff act for this user.')),
  paused,
  paused_existing_leads: pausedExisting,
  dnc_group: v.string(),
  lines: v.strictObject({
    limit: v.pipe(Count, v.description('Maximum number of calls in progress at the same time.')),
    in_use: Count,
  }),
  default_lead_type: v.nullable(Id),
})
