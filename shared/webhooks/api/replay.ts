import * as v from 'valibot'
import { choicesField } from '../../http/fields/choice.ts'
import { integersField } from '../../http/fields/number.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { Count } from '../../http/responses/values.ts'
import { TRIGGERS } from '../../platform/values/values.ts'

/** Limits of a replay: this much can be written while the client waits. */
export const MOST_DELIVERIES = 10_000
export const MOST_MEGABYTES = 20

/** The most leads in one replay. */
export const MOST_REPLAYED_LEADS = 1000

/** The body of a replay. */
export const ReplayRecentChat = onlyFields({ lead_ids: integersField({ most: MOST_REPLAYED_LEADS }), triggers: choicesField(TRIGGERS) })
export type ReplayRecentChat = v.InferOutput<typeof ReplayRecentChat>

/** How many deliveries a replay queued, and how many leads it skipped. */
export const ReplayResponse = v.strictObject({
  queued: v.pipe(
    Count,
    v.description('Queued deliveries: one for each lead, trigger and subscription that has the trigger and whose filter matches.'),
  ),
  skipped: Count,
  skipped_lead_ids: v.pipe(v.array(v.pipe(v.number(), v.integer())), v.description('Leads that are not yours, or have no completed call.')),
})
