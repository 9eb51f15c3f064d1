import type { Call } from '../calling/call.ts'
import { now } from '../platform/clock.ts'
import { ServiceError } from '../platform/values/errors.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Channel } from '../stops/compliance.ts'
import { addRecord } from './add-record.ts'
import { askedFingerprint } from './fingerprint.ts'
import { sequenceOf, withRevocation } from './rules/current-consent.ts'

/** A stop that a person asked for in a call, or in a text message that belongs to it. */
interface Asked {
  readonly channels: readonly Channel[]
  readonly means: 'call' | 'text'
  readonly words: string | null
  /** By the agent's clock. */
  readonly time?: Instant
}

const isRefused = (error: unknown): boolean => error instanceof ServiceError && error.code === 'validation'

/**
 * Records that a person who wants no more calls revoked the consent to them, also when none is recorded: one may arrive later. A client
 * that lifts the stop by an older flag does not restore the consent. The same report makes no second record.
 */
export const revokeInCall = async (call: Call, { channels, means, words, time = now() }: Asked): Promise<void> => {
  const { owner, phone_number, call_id, intent_time } = call
  const fingerprint = askedFingerprint(call_id, means, words, time)
  const since = Math.min(Math.max(time, intent_time), now())
  await addRecord(
    { id: owner },
    {
      ...{ phone_number, kind: 'revoked', time: since, how: words, channels: [...channels], source: means },
      ...{ type: null, proof_text: null, proof_url: null, seller: null, lead_id: null },
    },
    {
      repeated: (state, received_time) => sequenceOf(state, { time: since, received_time, fingerprint }),
      next: (state, received_time) => withRevocation(state, { time: since, channels, received_time, fingerprint }),
      full: { field: 'phone_number', message: 'The history is full, and no consent is left to revoke.' },
    },
  ).catch((error: unknown) => {
    if (!isRefused(error)) throw error
  })
}
