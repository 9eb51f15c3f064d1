import * as v from 'valibot'
import { absentAsNull } from '../platform/values/values.ts'

/** Days. The database changes each month, so no older answer counts. */
export const LONGEST_AGE = 31

/** How the leads of a lead type are checked in the reassigned numbers database. */
export const ReassignedUse = v.object({
  where: v.optional(
    v.pipe(
      v.picklist(['law', 'everywhere']),
      v.description('`law`: leads that may be in a state whose law demands the check. `everywhere`: all leads.'),
    ),
    'law',
  ),
  date_field: absentAsNull(
    v.pipe(
      v.string(),
      v.description('Metadata key with the day of the consent, or of the last contact with the person, such as 2026-11-20.'),
    ),
  ),
  creation_counts: v.optional(
    v.pipe(
      v.boolean(),
      v.description('Whether a lead without a known day is checked from the day of its creation. If not, it is not called.'),
    ),
    false,
  ),
  max_age_days: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(LONGEST_AGE),
      v.description('How many days an answer counts. No answer counts after the next monthly change of the database.'),
    ),
    LONGEST_AGE,
  ),
})
export type ReassignedUse = v.InferOutput<typeof ReassignedUse>
