import * as v from 'valibot'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'

/** A promise to call a person back. The sweep looks at it when the call would be late. */
export const CallbackTimer = v.object({
  lead: Id,
  owner: Id,
  promised_time: Instant,
  /** When the call turned out to be late. */
  fired_time: absentAsNull(Instant),
  /** Epoch seconds. Set when the sweep has checked the promise. */
  expires_at: absentAsNull(v.number()),
})
export type CallbackTimer = v.InferOutput<typeof CallbackTimer>
