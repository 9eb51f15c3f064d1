import * as v from 'valibot'
import { Id, Instant } from '../values/values.ts'

/** Queue messages hold ids, never data: the table is the truth. */

/** Place the due call. The message is not a permission: the dial checks that attempt and instant are still the lead's. */
export const DialMessage = v.object({
  type: v.literal('dial'),
  lead_id: Id,
  attempt: v.number(),
  due_at: Instant,
  /** The lead's owner, whose line is passed on if the lead no longer exists. Absent in messages of earlier versions. */
  owner: v.optional(Id),
  /** The group of lines that had a free one when the message was sent. */
  line_group: v.optional(v.number()),
  /** Other leads that are due were not sent. After this dial, fill all free lines of this owner. */
  fill_lines_of: v.optional(Id),
  /** The turn to send blocked leads that this dial ends: the lead is the last one of the turn. */
  blocked_turn: v.optional(Instant),
})
export type DialMessage = v.InferOutput<typeof DialMessage>

/** Check a call in progress: resume it after a crash, or finish it when it fell silent. */
const WatchMessage = v.object({ type: v.literal('watch'), call_id: v.string() })

/** Ask the agent to cancel a stopped call that nobody has answered. */
const CancelMessage = v.object({ type: v.literal('cancel'), call_id: v.string() })

/** Check whether a promised callback is late. */
const TimerMessage = v.object({ type: v.literal('timer'), lead_id: Id, promised_time: Instant })

/** Look at a holder: plan its leads again, or test with one call whether an agent that did not answer is back. */
const ProbeMessage = v.object({ type: v.literal('probe'), agent: v.string() })

/** Where a lead stands in a list. */
const Place = v.object({ lead: Id, due_at: v.string() })

/** Until version 1.0.2, an agent that was back sent this message. It is handled as a probe. */
const ReleaseMessage = v.object({ type: v.literal('release'), agent: v.string() })

/** Plan the leads of a holder, or of a part of one, again. `agent` is its name. */
const RetryMessage = v.object({
  type: v.literal('retry-held'),
  agent: v.string(),
  began: Instant,
  /** The turn of the run that the message belongs to. Undefined: the message begins a run. */
  turn: v.optional(Instant),
  /** The lead that was planned last. */
  after: v.nullable(Place),
  /**
   * Where to continue. Account hours have changed, and all held leads are done: the position in the owner's list of leads. A holder whose parts
   * are being started: the last owner that is done.
   */
  position: v.optional(v.number()),
})

/** The sweep of some owners: send the leads that become due soon, and fill free lines with overdue leads. */
const LookMessage = v.object({ type: v.literal('look'), owners: v.array(Id) })

/** Send leads to an owner's free lines, while the lines have this `fill_time`. */
const FillMessage = v.object({ type: v.literal('fill'), owner: Id, fill_time: Instant })

export const CallMessage = v.variant('type', [
  ...([DialMessage, WatchMessage, CancelMessage, TimerMessage] as const),
  ...([ProbeMessage, ReleaseMessage, RetryMessage, LookMessage, FillMessage] as const),
])
export type CallMessage = v.InferOutput<typeof CallMessage>
export type AgentMessage = Extract<CallMessage, { readonly agent: string }>

/** Make a delivery's due attempt. */
export const DeliveryMessage = v.object({
  owner: Id,
  subscription: Id,
  delivery_id: v.string(),
  /** The delivery was never tried and is in no due list: only this message leads to it. */
  fresh: v.optional(v.literal(true)),
  /** In the slow lane: seconds of the last wait for a turn. */
  waited: v.optional(v.number()),
})
export type DeliveryMessage = v.InferOutput<typeof DeliveryMessage>
