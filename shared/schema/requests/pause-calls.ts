import * as v from 'valibot'
import { booleanField } from '../fields/choice.ts'
import { Dictionary, fields } from '../fields/field.ts'

/** Which of a user's outbound calls are paused: all of them, or those to the leads that exist. */
export const PauseCalls = v.pipe(Dictionary, fields({ only_existing_leads: v.optional(booleanField(), false) }))
