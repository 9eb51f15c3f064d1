import { MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Dial } from './adapter.ts'

/** Recognises our calls on a platform. Two deployments may share an account, and our call ids are unique within one deployment only. */

/**
 * The idempotency key of the request that places a call. Each retry has the same key. The intent time makes it differ from another
 * deployment's key for the same call id.
 */
export const dialKey = ({ callId, intentTime }: Pick<Dial, 'callId' | 'intentTime'>): string => `${callId}-${intentTime}`

/** How far a platform's clock may differ from ours, and how long a request may be on its way. */
const LEEWAY = MINUTE

/** The earliest time that a platform may show for a call. */
export const earliestStart = ({ intentTime }: Pick<Dial, 'intentTime'>): Instant => intentTime - LEEWAY

/** The latest time at which a platform may have accepted the request for a call. The phone may ring later. */
export const latestRequest = ({ notAfter }: Pick<Dial, 'notAfter'>): Instant => notAfter + LEEWAY

const E164 = /^\+[1-9]\d{6,14}$/

/** Whether a platform shows that a call went to another number. A number that is not in E.164 proves nothing. */
export const isToOther = (called: string | null, to: string): boolean => called !== null && E164.test(called) && called !== to
