import * as v from 'valibot'
import { Id, Instant } from './values.ts'

/** Queue messages hold ids, never data: the table is the truth. */

/** Place the call that is due. Not a permission: the dial checks that attempt and instant are still the lead's. */
export const DialMessage = v.object({ type: v.literal('dial'), lead_id: Id, attempt: v.number(), due_at: Instant })
export type DialMessage = v.InferOutput<typeof DialMessage>

/** Look at a call that is in progress: take up what a crash left behind, or settle what fell silent. */
const WatchMessage = v.object({ type: v.literal('watch'), call_id: v.string() })

export const CallMessage = v.variant('type', [DialMessage, WatchMessage])
export type CallMessage = v.InferOutput<typeof CallMessage>

export const DeliveryMessage = v.object({ owner: Id, subscription: Id, delivery_id: v.string() })
export type DeliveryMessage = v.InferOutput<typeof DeliveryMessage>
