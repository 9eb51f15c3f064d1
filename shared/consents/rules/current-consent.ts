import type { Instant } from '../../platform/values/values.ts'
import type { Channel } from '../../stops/compliance.ts'
import { type ConsentState, type ConsentType, isEnough } from '../consent.ts'

/** The current consent of a phone, computed from its records one by one, in the order in which they were received. */

export const noConsent = (owner: number, phone_number: string): ConsentState => ({
  owner,
  phone_number,
  given: null,
  weaker: [],
  revoked_time: null,
  revoked_sequence: 0,
  known: [],
  last_sequence: 0,
})

/** Fields that every record has. */
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

/** Cap the time at the receipt. Otherwise a revocation from a fast clock would also end later consents. */
const dated = ({ time, received_time }: Received): Instant => Math.min(time, received_time)

/**
 * The sequence of the record that has the same content. A revocation that is sent again must not revoke a consent that was received
 * meanwhile.
 */
export const sequenceOf = ({ known }: ConsentState, { fingerprint }: Received): number | undefined =>
  known.find((each) => each.fingerprint === fingerprint)?.sequence

type Dated = NonNullable<ConsentState['given']>

const allGiven = ({ given, weaker }: Pick<ConsentState, 'given' | 'weaker'>): readonly Dated[] => (given === null ? [] : [given, ...weaker])

const withAll = (state: ConsentState, [given, ...weaker]: readonly Dated[]): ConsentState => ({ ...state, given: given ?? null, weaker })

/** Whether a consent adds nothing to another one, which is at least as strong and as late. */
const isCovered = ({ type, time }: Omit<Dated, 'sequence'>, other: Omit<Dated, 'sequence'>): boolean =>
  isEnough(other.type, type) && other.time >= time

/** Whether a consent counts: its time is after every revocation, even one that was received before it, and it adds to the others. */
const counts = (state: ConsentState, consent: Given): boolean => {
  const { revoked_time } = state
  const one = { type: consent.type, time: dated(consent) }
  return (revoked_time === null || one.time > revoked_time) && !allGiven(state).some((other) => isCovered(one, other))
}

/**
 * The sequence of the record that a consent repeats; undefined when it says something new. A consent that is received again after a
 * revocation that came before it says something new: it counts again.
 */
export const repeatedConsent = (state: ConsentState, consent: Given): number | undefined => {
  const sequence = sequenceOf(state, consent) ?? 0
  const countsAgain = sequence < state.revoked_sequence && counts(state, consent)
  return sequence === 0 || countsAgain ? undefined : sequence
}

/** Records with further contents are not remembered: a repeat of an older one makes another record. */
const MOST_KNOWN = 20

const withRecord = (state: ConsentState, { fingerprint }: Received): Pick<ConsentState, 'known' | 'last_sequence'> => {
  const sequence = state.last_sequence + 1
  const others = state.known.filter((each) => each.fingerprint !== fingerprint)
  return { known: [{ fingerprint, sequence }, ...others].slice(0, MOST_KNOWN), last_sequence: sequence }
}

export const withConsent = (state: ConsentState, consent: Given): ConsentState => {
  const next = { ...state, ...withRecord(state, consent) }
  if (!counts(state, consent)) return next
  const one = { sequence: next.last_sequence, type: consent.type, time: dated(consent) }
  const others = allGiven(state).filter((other) => !isCovered(other, one))
  return withAll(
    next,
    [...others, one].toSorted((first, second) => (isEnough(first.type, second.type) ? -1 : 1)),
  )
}

/**
 * The state without the consents from before a revocation to another user of the group.
 * @param revoked when the person last revoked the consent to any user of the group
 */
export const withoutRevoked = (state: ConsentState, revoked: Instant | null): ConsentState => {
  const all = allGiven(state)
  const left = all.filter(({ time }) => revoked === null || time > revoked)
  return left.length === all.length ? state : withAll(state, left)
}

/** A revocation of calls ends every consent that was received before it. A revocation of text messages says nothing about calls. */
export const withRevocation = (state: ConsentState, revocation: Revoked): ConsentState => {
  const next = { ...state, ...withRecord(state, revocation) }
  if (!revocation.channels.includes('call')) return next
  const revoked_time = Math.max(dated(revocation), state.revoked_time ?? 0)
  return { ...next, given: null, weaker: [], revoked_time, revoked_sequence: next.last_sequence }
}
