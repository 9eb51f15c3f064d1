import * as v from 'valibot'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'

/** A promise to call a person back, to be looked at when the call is late. */
export const CallbackTimer = v.object({
  lead: Id,
  owner: Id,
  promised_time: Instant,
  /** When the call turned out to be late. */
  fired_time: absentAsNull(Instant),
})
export type CallbackTimer = v.InferOutput<typeof CallbackTimer>
