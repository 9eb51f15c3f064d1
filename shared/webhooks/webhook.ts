import * as v from 'valibot'
import { absentAsNull, Id, Instant, TRIGGERS, WEBHOOK_METHODS } from '../platform/values/values.ts'

export const Subscription = v.object({
  id: Id,
  owner: Id,
  url: v.string(),
  trigger: v.array(v.picklist(TRIGGERS)),
  method: v.picklist(WEBHOOK_METHODS),
  filter_condition: v.optional(v.string(), ''),
  /** Encrypted: see `sealHeaders`. */
  headers: absentAsNull(v.string()),
  enabled: v.optional(v.boolean(), true),
  /** Why it is disabled, for the customer. */
  disabled_reason: absentAsNull(v.string()),
  disabled_time: absentAsNull(Instant),
  /** When the customer last enabled it. */
  enabled_time: absentAsNull(Instant),
  /** When failures without a success began. */
  failing_since: absentAsNull(Instant),
  /** Days in a row with failures since then: the time of the first failure, and of the first one of the last day. */
  daily_failures: absentAsNull(v.object({ since: Instant, last: Instant })),
  /** When its deliveries moved to the slow lane. */
  slow_since: absentAsNull(Instant),
  /** The URL that it was created with, once it has another one. */
  first_url: absentAsNull(v.string()),
  /** When the URL last changed. */
  url_since: absentAsNull(Instant),
  created_time: Instant,
})
export type Subscription = v.InferOutput<typeof Subscription>

/** The part of a subscription that matching uses. Without headers, because memory holds the subscriptions of many owners. */
export const Listener = v.pick(Subscription, ['id', 'enabled', 'trigger', 'filter_condition', 'slow_since'])
export type Listener = v.InferOutput<typeof Listener>

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'disabled'] as const

export const DeliveryAttempt = v.object({
  time: Instant,
  status_code: absentAsNull(v.number()),
  duration_ms: v.number(),
  error: absentAsNull(v.string()),
  /** The first KiB of the answer. */
  response_body: absentAsNull(v.string()),
  /** The subscription's URL at the time. Absent: its first one, which most keep. Null: not known. */
  url: v.optional(v.nullable(v.string())),
})
export type DeliveryAttempt = v.InferOutput<typeof DeliveryAttempt>

/** The delivery of one event to one subscription. `payload` is the JSON text that is sent, the same at every attempt. */
export const Delivery = v.object({
  delivery_id: v.string(),
  subscription: Id,
  owner: Id,
  event_id: v.string(),
  trigger: v.picklist(TRIGGERS),
  /** Null for a test event. */
  lead: absentAsNull(Id),
  payload: v.string(),
  status: v.picklist(DELIVERY_STATUSES),
  attempts: v.optional(v.array(DeliveryAttempt), []),
  /** How many of `attempts` the retry schedule does not count: those before a resend, and those cut short. */
  earlier_attempts: v.optional(v.number(), 0),
  next_attempt_time: absentAsNull(Instant),
  /** When the running attempt began. Quick first attempts leave it out, to save a write each. */
  begun_time: absentAsNull(Instant),
  created_time: Instant,
  /** Epoch seconds. */
  expires_at: v.number(),
})
export type Delivery = v.InferOutput<typeof Delivery>
