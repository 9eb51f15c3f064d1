import * as v from 'valibot'
import { absentAsNull, Instant } from '../platform/values/values.ts'

/** The circuit breaker of an agent. Failures in a row pause the agent. After the pause, one probe call tests it. */
export const Breaker = v.object({
  /** Calls in a row whose first request to the agent failed. */
  failures: v.optional(v.number(), 0),
  /** How often in a row the breaker opened. Pauses grow up to a limit. */
  openings: v.optional(v.number(), 0),
  /** No call is dialled before this instant; 0 while the agent is trusted. */
  open_until: v.optional(Instant, 0),
  /** Why the breaker opened, in one sentence. */
  reason: v.optional(v.string(), ''),
  /** Id of the call that tests whether the agent is back. */
  probe: absentAsNull(v.string()),
})
export type Breaker = v.InferOutput<typeof Breaker>

export const TRUSTED: Breaker = { failures: 0, openings: 0, open_until: 0, reason: '', probe: null }
