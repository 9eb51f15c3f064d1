import * as v from 'valibot'
import { Count } from './values.ts'

/** What of a replay was accepted. */
export const ReplayResponse = v.strictObject({
  queued: v.pipe(Count, v.description('Leads whose latest completed call is told again.')),
  skipped: Count,
  skipped_lead_ids: v.pipe(v.array(v.pipe(v.number(), v.integer())), v.description('Not yours, or without a completed call.')),
})
