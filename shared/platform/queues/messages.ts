import * as v from 'valibot'
import { Id, Instant } from '../values/values.ts'

/** Queue messages hold ids, never data: the table is the truth. */

/** Place the call that is due. Not a permission: the dial checks that attempt and instant are still the lead's. */
export const DialMessage = v.object({ type: v.literal('dial'), lead_id: Id, attempt: v.number(), due_at: Instant })
export type DialMessage = v.InferOutput<typeof DialMessage>

/** Look at a call that is in progress: take up what a crash left behind, or settle what fell silent. */
const WatchMessage = v.object({ type: v.literal('watch'), call_id: v.string() })

/** Ask the agent to cancel a call that nobody has answered: it is stopped. */
const CancelMessage = v.object({ type: v.literal('cancel'), call_id: v.string() })

/** Look whether a call that was promised for an instant is late. */
const TimerMessage = v.object({ type: v.literal('timer'), lead_id: Id, promised_time: Instant })

/** See with one call whether an agent that did not answer is back. */
const ProbeMessage = v.object({ type: v.literal('probe'), agent: v.string() })

/** Send on the leads that are held for an agent or a lead type that is back. */
const ReleaseMessage = v.object({
  type: v.literal('release'),
  agent: v.string(),
  /** When those before this message were sent, and which one stood first then. */
  turn: v.optional(Instant),
  first: v.optional(v.string()),
})

/** Try each of the leads that are held for an agent, as some of them may have another one by now. */
const RetryMessage = v.object({
  type: v.literal('retry-held'),
  agent: v.string(),
  began: Instant,
  /** When those before this message were sent, and the last one of them. */
  turn: v.optional(Instant),
  after: v.nullable(v.object({ lead: Id, due_at: v.string() })),
  /** Account hours have changed, and all held leads are done: continue with the owner's list of leads, from this position. */
  position: v.optional(v.number()),
})

/** Send on the leads that were parked while their owner was paused. `turn`: when those before this message were. */
const UnparkMessage = v.object({ type: v.literal('unpark'), owner: Id, turn: Instant })

export const CallMessage = v.variant('type', [
  ...([DialMessage, WatchMessage, CancelMessage, TimerMessage] as const),
  ...([ProbeMessage, ReleaseMessage, RetryMessage, UnparkMessage] as const),
])
export type CallMessage = v.InferOutput<typeof CallMessage>
export type AgentMessage = Extract<CallMessage, { readonly agent: string }>

/** Make the attempt of a delivery that is due. */
export const DeliveryMessage = v.object({
  owner: Id,
  subscription: Id,
  delivery_id: v.string(),
  /** It was never tried, and stands in no list of what is due: this message is all that leads to it. */
  fresh: v.optional(v.literal(true)),
  /** Of the slow lane: the seconds that it was held back the last time, for want of a turn. */
  waited: v.optional(v.number()),
})
export type DeliveryMessage = v.InferOutput<typeof DeliveryMessage>
