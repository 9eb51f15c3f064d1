import * as v from 'valibot'
import { absentAsNull, Instant } from '../platform/values/values.ts'

/** How an agent has been answering: after failures in a row it is not asked for a while, then asked for one call to see. */
export const Breaker = v.object({
  /** Calls in a row whose first request it did not answer as it should. */
  failures: v.optional(v.number(), 0),
  /** How often in a row it was given up; each time for longer. */
  openings: v.optional(v.number(), 0),
  /** Nothing is dialled before this instant; 0 while the agent is trusted. */
  open_until: v.optional(Instant, 0),
  /** Why, in a sentence. */
  reason: v.optional(v.string(), ''),
  /** Id of the one call that may show whether the agent is back. */
  probe: absentAsNull(v.string()),
})
export type Breaker = v.InferOutput<typeof Breaker>

export const TRUSTED: Breaker = { failures: 0, openings: 0, open_until: 0, reason: '', probe: null }
