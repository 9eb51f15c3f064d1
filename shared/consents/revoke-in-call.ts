import type { Call } from '../calling/call.ts'
import { now } from '../platform/clock.ts'
import { ServiceError } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Channel } from '../stops/compliance.ts'
import { addRevocation } from './add-revocation.ts'
import { getConsentState } from './consent-store.ts'
import { askedFingerprint } from './fingerprint.ts'
import { sequenceOf } from './rules/current-consent.ts'

/** A stop that a person asked for in a call, or in a text message that belongs to it. Also a report that the number is wrong. */
interface Asked {
  readonly channels: readonly Channel[]
  readonly means: 'call' | 'text'
  readonly words: string | null
  /** By the agent's clock. */
  readonly time?: Instant
  /** Whether a call has at most one such report. Then a repeat at another time says nothing new. */
  readonly isOnce?: boolean
}

/** When a person revoked the consent in a call. The agent's clock may be wrong. */
export const revokedAt = ({ intent_time }: Pick<Call, 'intent_time'>, time = now()): Instant => Math.min(Math.max(time, intent_time), now())

/**
 * Whether a report of a stop is recorded as a revocation. A report without words adds nothing if a revocation of the same or a later time
 * is recorded.
 */
export const isRevokedInCall = async (call: Call, { means, words, time = now() }: Omit<Asked, 'channels'>): Promise<boolean> => {
  const state = await getConsentState(call.owner, call.phone_number)
  const report = { time, received_time: now(), fingerprint: askedFingerprint(call.call_id, means, words, time) }
  return sequenceOf(state, report) !== undefined || (words === null && (state.revoked_time ?? 0) >= revokedAt(call, time))
}

const isRefused = (error: unknown): boolean => error instanceof ServiceError && error.code === 'validation'

/**
 * Records that a person who wants no more calls, or has a wrong number, ends the consent to them, also when none is recorded: one may arrive
 * later. A client that lifts the stop by an older flag does not restore the consent. The same report makes no second record.
 */
export const revokeInCall = async (call: Call, { channels, means, words, time = now(), isOnce = false }: Asked): Promise<void> => {
  const { owner, phone_number, call_id, intent_time } = call
  const fingerprint = askedFingerprint(call_id, means, words, isOnce ? intent_time : time)
  const revocation = { phone_number, time: revokedAt(call, time), how: words, channels: [...channels], source: means, fingerprint }
  await addRevocation({ id: owner }, revocation, 'The history is full, and no consent is left to revoke.').catch((error: unknown) => {
    if (!isRefused(error)) throw error
  })
}
