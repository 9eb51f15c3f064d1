import { MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Dial } from './adapter.ts'

/** Recognises a call of ours on a platform. Two stages may share an account, and our ids of calls are unique within a stage only. */

/** The key of a request to place a call: always the same for one call, and another one in each stage. */
export const dialKey = ({ callId, intentTime }: Pick<Dial, 'callId' | 'intentTime'>): string => `${callId}-${intentTime}`

/** How far a platform's clock may differ from ours, and how long a request may be on its way. */
const LEEWAY = MINUTE

/** The earliest time that a platform may show for a call. */
export const earliestStart = ({ intentTime }: Pick<Dial, 'intentTime'>): Instant => intentTime - LEEWAY

/** The latest time at which a platform may have taken the request for a call. It may ring later. */
export const latestRequest = ({ notAfter }: Pick<Dial, 'notAfter'>): Instant => notAfter + LEEWAY

const E164 = /^\+[1-9]\d{6,14}$/

/** Whether a platform shows that a call went to another number. It may show a number in a form of its own: that proves nothing. */
export const isToOther = (called: string | null, to: string): boolean => called !== null && E164.test(called) && called !== to
