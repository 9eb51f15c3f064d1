import { MINUTE, SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Breaker } from '../breaker.ts'

/** What an answer tells of the agent as a whole; `unsaid` when it is about the one call, or too little to blame anybody for. */
export type Health = 'sound' | 'failing' | 'unsaid'

/** Calls in a row that failed, after which nothing more is dialled. */
export const OPENS_AFTER = 5

export const FIRST_PAUSE = 30 * SECOND
export const LONGEST_PAUSE = 10 * MINUTE

/** Whoever dials the one call that is to show whether the agent is back has this long to come back with the answer. */
export const PROBE_TIME = 30 * SECOND

/** Of the four hundreds those that any call would meet: credentials, address, method, time-out, too many. */
const FAILING = new Set([401, 403, 404, 405, 408, 410, 429])
/** The call is being placed already, or the agent is not sure of it. */
const UNSAID = new Set([409, 425])

/** What a status outside the two hundreds tells. A refusal of one call, such as a 400 or 422, comes from an agent that works. */
export const healthOf = (status: number): Health => {
  if (UNSAID.has(status)) return 'unsaid'
  return status < 400 || status >= 500 || FAILING.has(status) ? 'failing' : 'sound'
}

/** Whether one call may be dialled now to see whether the agent is back. */
export const isHalfOpen = ({ openings, open_until }: Breaker, now: Instant): boolean => openings > 0 && open_until <= now

/** Whether calls are dialled as ever. Also after failures enough, when whoever counted the last of them did not come to open it. */
export const isClosed = ({ openings }: Breaker): boolean => openings === 0

/** The breaker as it stands for one call: the one that is the probe may be dialled. */
export const forCall = (breaker: Breaker, callId: string): Breaker => (breaker.probe === callId ? { ...breaker, open_until: 0 } : breaker)

/**
 * What a failure of a call does to a breaker that has counted it: opens it, for the longer the more often in a row. Undefined
 * when it does nothing: too few of them yet, or open already and the call is not the probe.
 */
export const opening = (
  { failures, openings, probe }: Breaker,
  { callId, failure, now }: { readonly callId: string; readonly failure: string; readonly now: Instant },
): Pick<Breaker, 'openings' | 'open_until' | 'reason'> | undefined => {
  if (failures < OPENS_AFTER || (openings > 0 && probe !== callId)) return undefined
  return {
    openings: openings + 1,
    open_until: now + Math.min(FIRST_PAUSE * 2 ** openings, LONGEST_PAUSE),
    reason: `${failure} It has failed for ${failures} calls in a row.`,
  }
}
