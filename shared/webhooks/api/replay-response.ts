import * as v from 'valibot'
import { Count } from '../../http/responses/values.ts'

/** The deliveries that a replay queued, and the leads that it skipped. */
export const ReplayResponse = v.strictObject({
  queued: v.pipe(
    Count,
    v.description('Deliveries that were queued: one for each lead, trigger and subscription that asks for it and whose filter fits.'),
  ),
  skipped: Count,
  skipped_lead_ids: v.pipe(v.array(v.pipe(v.number(), v.integer())), v.description('Not yours, or without a completed call.')),
})
