import type { Instant } from '../../platform/values/values.ts'
import type { Channel } from '../../stops/compliance.ts'
import type { ConsentState, ConsentType } from '../consent.ts'

/** What the records of a phone come to, record by record in the order in which they were received. */

export const noConsent = (owner: number, phone_number: string): ConsentState => ({
  owner,
  phone_number,
  given: null,
  revoked_time: null,
  known: [],
  last_sequence: 0,
})

/** What counts of any record. */
interface Received {
  readonly time: Instant
  readonly received_time: Instant
  /** The same for records with the same content. */
  readonly fingerprint: string
}

interface Given extends Received {
  readonly type: ConsentType
}

interface Revoked extends Received {
  readonly channels: readonly Channel[]
}

/** No record counts as later than its receipt: if the clock of a client is ahead, a revocation must not cover consents after it. */
const dated = ({ time, received_time }: Received): Instant => Math.min(time, received_time)

const sequenceOf = ({ known }: ConsentState, { fingerprint }: Received): number | undefined =>
  known.find((each) => each.fingerprint === fingerprint)?.sequence

/** Whether a consent of this time counts: it is after every revocation, even one that was received before it, and no later one is known. */
const counts = ({ given, revoked_time }: ConsentState, time: Instant): boolean =>
  (revoked_time === null || time > revoked_time) && (given === null || time >= given.time)

/**
 * The sequence of the record that a consent repeats; undefined when it says something new. A consent that is received again after a
 * revocation that came before it says something new: it counts again.
 */
export const repeatedConsent = (state: ConsentState, consent: Given): number | undefined => {
  const sequence = sequenceOf(state, consent)
  return state.given === null && counts(state, dated(consent)) ? undefined : sequence
}

/** As `repeatedConsent`. A revocation that is sent again must not revoke a consent that was received meanwhile. */
export const repeatedRevocation = (state: ConsentState, revocation: Revoked): number | undefined => sequenceOf(state, revocation)

/** Records with further contents are not remembered: a repeat of an older one makes another record. */
const MOST_KNOWN = 20

const withRecord = (state: ConsentState, { fingerprint }: Received): Pick<ConsentState, 'known' | 'last_sequence'> => {
  const sequence = state.last_sequence + 1
  const others = state.known.filter((each) => each.fingerprint !== fingerprint)
  return { known: [{ fingerprint, sequence }, ...others].slice(0, MOST_KNOWN), last_sequence: sequence }
}

export const withConsent = (state: ConsentState, consent: Given): ConsentState => {
  const time = dated(consent)
  const next = { ...state, ...withRecord(state, consent) }
  return counts(state, time) ? { ...next, given: { sequence: next.last_sequence, type: consent.type, time } } : next
}

/** A revocation of calls ends every consent that was received before it. A revocation of text messages says nothing about calls. */
export const withRevocation = (state: ConsentState, revocation: Revoked): ConsentState => {
  const next = { ...state, ...withRecord(state, revocation) }
  if (!revocation.channels.includes('call')) return next
  return { ...next, given: null, revoked_time: Math.max(dated(revocation), state.revoked_time ?? 0) }
}
