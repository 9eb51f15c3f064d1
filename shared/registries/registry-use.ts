import * as v from 'valibot'
import { absentAsNull } from '../platform/values/values.ts'
import { isRegistryName } from './registry.ts'

/** Days: about 18 months. */
export const LONGEST_RELATIONSHIP = 540

const ListName = v.pipe(v.string(), v.check(isRegistryName, 'Write national, or the list of a state, such as state:TX.'))

/** The do-not-call registries that a lead type obeys. */
export const RegistryUse = v.object({
  lists: v.pipe(
    v.array(ListName),
    v.minLength(1),
    v.description('`national`, and lists of states such as `state:TX`, which count for leads in that state.'),
  ),
  exemption: v.optional(
    v.pipe(
      v.picklist(['none', 'consent', 'relationship']),
      v.description(
        'Who is called although the number is listed. `consent`: leads with the proof in `consent_field`, or with a recorded consent of the type `written_seller`. `relationship`: leads with a recent date in `relationship_field`.',
      ),
    ),
    'none',
  ),
  relationship_field: absentAsNull(
    v.pipe(v.string(), v.description('Metadata key with the date of the last purchase or inquiry, such as 2026-11-20.')),
  ),
  relationship_days: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(LONGEST_RELATIONSHIP),
      v.description('How many days after that date the relationship ends: at most 540 after a purchase, and 90 after an inquiry.'),
    ),
    LONGEST_RELATIONSHIP,
  ),
})
