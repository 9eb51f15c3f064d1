import * as v from 'valibot'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'

/** One person of one owner: the leads that share a phone number. */
export const Person = v.object({
  owner: Id,
  phone_number: v.string(),
  leads: v.array(v.object({ id: Id, email: absentAsNull(v.string()) })),
  version: v.number(),
})
export type Person = v.InferOutput<typeof Person>

/** Channels that a person can ask not to be contacted on. */
export const CHANNELS = ['call', 'sms'] as const
export type Channel = (typeof CHANNELS)[number]

/** The record that an operator took a phone off the group's list, and why. */
const ListLift = v.object({ time: Instant, channels: v.array(v.picklist(CHANNELS)), reason: v.string() })
export type ListLift = v.InferOutput<typeof ListLift>

/** One phone of one DNC group: the unit of compliance. */
export const Phone = v.object({
  call_dnc: v.optional(v.boolean(), false),
  sms_dnc: v.optional(v.boolean(), false),
  /** The flag was entered on the group's list: lifting a lead's flag does not lift this one. */
  call_listed: v.optional(v.boolean(), false),
  sms_listed: v.optional(v.boolean(), false),
  /** Acceptance sequences: when a flag was last raised, and last lifted. */
  call_stopped: v.optional(v.string()),
  sms_stopped: v.optional(v.string()),
  call_lifted: v.optional(v.string()),
  sms_lifted: v.optional(v.string()),
  /** When the person last revoked the consent to calls, to whichever user of the group. A lift of the stop does not restore the consent. */
  call_revoked: absentAsNull(Instant),
  /** The oldest first. */
  list_lifts: v.optional(v.array(ListLift)),
  /** The latest records of stops and lifts, as texts of `StopRecord`. A set, because a repeated write must not add one twice. */
  stop_records: v.optional(v.set(v.string()), new Set<string>()),
  /** Id of the call in progress to the phone. */
  current_call: absentAsNull(v.string()),
  /**
   * Ids of the other calls in progress. These are our calls that still rang when the person called, and the person's call during one of
   * ours. Each holds the phone until it is over.
   */
  other_calls: v.optional(v.set(v.string()), new Set<string>()),
  /** Instants of the calls placed to the phone in the last 24 hours. */
  attempts: v.optional(v.array(Instant), []),
  version: v.optional(v.number(), 0),
})
export type Phone = v.InferOutput<typeof Phone>

/** A phone that nobody has called or stopped. */
export const NEW_PHONE: Phone = v.parse(Phone, {})

/** Calls in progress on a group of an owner's lines. */
export const LineGroup = v.object({
  calls: v.optional(v.set(v.string()), new Set<string>()),
  /** Raised by each pause, and when groups are dropped. A dial that read the owner's pauses and groups before has a lower one, and is refused. */
  fence: v.optional(v.number(), 0),
})

export type LineGroup = v.InferOutput<typeof LineGroup>

/** The first group of an owner's lines, with the owner's pauses. */
export const Lines = v.object({
  ...LineGroup.entries,
  /** How many groups may have calls. A pause raises the fence of all of them. After the limit was lowered, empty groups are dropped. */
  groups: v.optional(v.number(), 1),
  /** All outbound calls are paused, until an unpause. */
  paused: v.optional(v.boolean(), false),
  /** Calls to leads up to this position in the owner's list are paused. */
  paused_upto: v.optional(v.number(), 0),
  /** When leads were last noted as waiting for a line. While it is set, the end of a call sends the next lead, or queues a fill. */
  waiting_time: absentAsNull(Instant),
  /** Ahead of the clock while leads that were sent to free lines are under way, or while a fill is queued. */
  fill_time: absentAsNull(Instant),
  /** Leads that were refused since the last queued fill began. Counted only up to a limit. */
  refused: v.optional(v.number(), 0),
  /** The sweep has sent the leads that are due before this instant. */
  sent_until: absentAsNull(Instant),
})
export type Lines = v.InferOutput<typeof Lines>
