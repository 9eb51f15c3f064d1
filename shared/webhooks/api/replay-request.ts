import type * as v from 'valibot'
import { choicesField } from '../../http/fields/choice.ts'
import { integersField } from '../../http/fields/number.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { TRIGGERS } from '../../platform/values/values.ts'

/** What can be written while a client waits. */
export const MOST_DELIVERIES = 10_000
export const MOST_MEGABYTES = 20

/** Leads of one replay, at most. */
export const MOST_REPLAYED_LEADS = 1000

/** The body of a replay. */
export const ReplayRecentChat = onlyFields({ lead_ids: integersField({ most: MOST_REPLAYED_LEADS }), triggers: choicesField(TRIGGERS) })
export type ReplayRecentChat = v.InferOutput<typeof ReplayRecentChat>
