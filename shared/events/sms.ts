import * as v from 'valibot'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'

/** `inbound`: the person wrote it. */
export const SMS_DIRECTIONS = ['inbound', 'outbound'] as const

/** A text message that an agent has exchanged with a person around a call. */
export const Sms = v.object({
  /** Distinguishes messages, so that a repeated report is recognized. */
  sms_id: v.string(),
  lead: Id,
  owner: Id,
  call_id: v.string(),
  /** The person's phone. */
  phone_number: v.string(),
  direction: absentAsNull(v.picklist(SMS_DIRECTIONS)),
  body: absentAsNull(v.string()),
  /** How the delivery of the text message went, in the agent's words. */
  status: absentAsNull(v.string()),
  time: Instant,
})
export type Sms = v.InferOutput<typeof Sms>
