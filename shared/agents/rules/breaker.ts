import * as v from 'valibot'
import type { Call } from '../../calling/call.ts'
import { MINUTE, SECOND } from '../../platform/values/durations.ts'
import { absentAsNull, Instant } from '../../platform/values/values.ts'

/**
 * The circuit breaker of an agent. Failures in a row open it, which pauses the agent. After the pause, one call, the probe, shows whether
 * the agent works again.
 */
export const Breaker = v.object({
  /** Calls in a row whose first request to the agent failed. */
  failures: v.optional(v.number(), 0),
  /** Why the latest of them failed, in one sentence. */
  failure: v.optional(v.string(), ''),
  /** How often in a row the breaker opened. Pauses grow up to a limit. */
  openings: v.optional(v.number(), 0),
  /** When the breaker opened last. */
  opened_time: v.optional(Instant, 0),
  /** No call is dialled before this instant; 0 while the agent is trusted. */
  open_until: v.optional(Instant, 0),
  /** Why the breaker opened, in one sentence. */
  reason: v.optional(v.string(), ''),
  /** Owner of the call whose failure opened the breaker. Perhaps only calls of this owner fail. */
  owner: absentAsNull(v.number()),
  /** Id of the probe: the call that shows whether the agent works again. */
  probe: absentAsNull(v.string()),
})
export type Breaker = v.InferOutput<typeof Breaker>

export const TRUSTED: Breaker = {
  failures: 0,
  failure: '',
  openings: 0,
  opened_time: 0,
  open_until: 0,
  reason: '',
  owner: null,
  probe: null,
}

/** The health that an answer shows of the agent as a whole. `unsaid`: the answer concerns only this call, or proves nothing. */
export type Health = 'sound' | 'failing' | 'unsaid'

/** Failed calls in a row that open the breaker. */
export const OPENS_AFTER = 5

export const FIRST_PAUSE = 30 * SECOND
export const LONGEST_PAUSE = 10 * MINUTE

/** Time within which the probe call must get an answer. */
export const PROBE_TIME = 30 * SECOND

/** 4xx answers that every call would get: credentials, address, method, timeout, too many requests. They count as failures of the agent. */
const FAILING = new Set([401, 403, 404, 405, 408, 410, 429])
/** 4xx answers that prove nothing: the agent is already placing the call, cannot tell yet, or saw the connection closed. */
const UNSAID = new Set([409, 425, 499])

/** The health that a non-2xx status shows. A refusal of one call, such as a 400 or 422, comes from an agent that works. */
export const healthOf = (status: number): Health => {
  if (UNSAID.has(status)) return 'unsaid'
  return status < 400 || status >= 500 || FAILING.has(status) ? 'failing' : 'sound'
}

/** Whether one call may be dialled now as the probe, to see whether the agent works again. */
export const isHalfOpen = ({ openings, open_until }: Breaker, now: Instant): boolean => openings > 0 && open_until <= now

/**
 * Whether calls are dialled normally. A crash right after a failure was counted can leave a breaker closed although it has enough failures
 * to open.
 */
export const isClosed = ({ openings }: Breaker): boolean => openings === 0

/** The breaker as one call sees it: the probe call may dial. */
export const forCall = (breaker: Breaker, callId: string): Breaker => (breaker.probe === callId ? { ...breaker, open_until: 0 } : breaker)

/** Whether a call is a probe since the breaker opened last. The next probe may be under way. */
export const isProbeOf = ({ openings, opened_time }: Breaker, { verdicts, intent_time }: Pick<Call, 'verdicts' | 'intent_time'>): boolean =>
  openings > 0 && verdicts['capacity'] === 'PROBE' && intent_time >= opened_time

/**
 * The breaker after a failure that it has counted. Each opening in a row doubles the pause, up to `LONGEST_PAUSE`. `isWhole`: the failure
 * certainly meets every call of the agent, so that it opens the breaker at once. `isProbe`: see `isProbeOf`.
 * @returns undefined when nothing changes: too few failures, or already open and this call is no probe
 */
export const opening = (
  { failures, openings }: Breaker,
  {
    isProbe,
    failure,
    isWhole,
    now,
  }: { readonly isProbe: boolean; readonly failure: string; readonly isWhole?: boolean; readonly now: Instant },
): Pick<Breaker, 'openings' | 'open_until' | 'reason'> | undefined => {
  if ((failures < OPENS_AFTER && !isWhole) || (openings > 0 && !isProbe)) return undefined
  return {
    openings: openings + 1,
    open_until: now + Math.min(FIRST_PAUSE * 2 ** openings, LONGEST_PAUSE),
    reason: failures < OPENS_AFTER ? failure : `${failure} It has failed for ${failures} calls in a row.`,
  }
}
