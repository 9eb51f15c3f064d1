import * as v from 'valibot'
import { absentAsNull, Id, Instant } from './values.ts'

/** One person of one owner: the leads that share a phone number. */
export const Person = v.object({
  owner: Id,
  phone_number: v.string(),
  leads: v.array(v.object({ id: Id, email: absentAsNull(v.string()) })),
  version: v.number(),
})
export type Person = v.InferOutput<typeof Person>

/** One phone of one DNC group: the unit of compliance. */
export const Phone = v.object({
  call_dnc: v.optional(v.boolean(), false),
  sms_dnc: v.optional(v.boolean(), false),
  /** Id of the call in progress to it. */
  current_call: absentAsNull(v.string()),
  /** Instants of the calls placed to it in the last 24 hours. */
  attempts: v.optional(v.array(Instant), []),
  version: v.optional(v.number(), 0),
})
export type Phone = v.InferOutput<typeof Phone>

/** An owner's lines: the ids of the calls in progress, and whether the owner is paused. */
export const Lines = v.object({
  calls: v.optional(v.set(v.string()), new Set<string>()),
  paused: v.optional(v.boolean(), false),
})
export type Lines = v.InferOutput<typeof Lines>
