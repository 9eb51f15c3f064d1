import * as v from 'valibot'
import { LEAD_STATUSES } from '../platform/values/values.ts'

/** When a lead type reopens an earlier lead instead of creating a duplicate of it. */
export const Reengagement = v.object({
  enabled: v.optional(
    v.pipe(v.boolean(), v.description('Whether creating a lead that duplicates an earlier one reengages the earlier lead by default.')),
    false,
  ),
  min_days: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Minimum number of days since the lead was created or last reengaged.')),
    30,
  ),
  match: v.optional(
    v.pipe(v.picklist(['phone_and_email', 'phone']), v.description('The fields in which a new lead must match the lead that is reopened.')),
    'phone_and_email',
  ),
  eligible_statuses: v.optional(
    v.pipe(
      v.array(v.picklist(LEAD_STATUSES)),
      v.description('More statuses from which a lead may be reopened, besides those that end the calling.'),
    ),
  ),
})
