import * as v from 'valibot'
import { booleanField } from '../../http/fields/choice.ts'
import { NoFields, onlyFields } from '../../http/fields/only-fields.ts'

/** The outbound calls of a user that are paused: all of them, or those to the leads that exist. */
export const PauseCalls = onlyFields({ only_existing_leads: v.optional(booleanField(), false) })

/** An unpause ends both kinds of pause. */
export const UnpauseCalls = NoFields
