import * as v from 'valibot'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'

/** As the person is concerned: `inbound` is what the person wrote. */
export const SMS_DIRECTIONS = ['inbound', 'outbound'] as const

/** A text message that an agent has exchanged with a person around a call. */
export const Sms = v.object({
  /** Tells repeats of one report from one another. */
  sms_id: v.string(),
  lead: Id,
  owner: Id,
  call_id: v.string(),
  /** The person's. */
  phone_number: v.string(),
  direction: absentAsNull(v.picklist(SMS_DIRECTIONS)),
  body: absentAsNull(v.string()),
  /** What became of it, in the agent's words. */
  status: absentAsNull(v.string()),
  time: Instant,
})
export type Sms = v.InferOutput<typeof Sms>
