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
  ended_time: null,
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
 * meanwhile. A consent that is sent again must not undo a revocation.
 */
export const sequenceOf = ({ known }: ConsentState, { fingerprint }: Received): number | undefined =>
  known.find((each) => each.fingerprint === fingerprint)?.sequence

type Dated = NonNullable<ConsentState['given']>

const allGiven = ({ given, weaker }: Pick<ConsentState, 'given' | 'weaker'>): readonly Dated[] => (given === null ? [] : [given, ...weaker])

const withAll = (state: ConsentState, [given, ...weaker]: readonly Dated[]): ConsentState => ({ ...state, given: given ?? null, weaker })

/** Whether a consent adds nothing to another one, which is at least as strong and as late. */
const isCovered = ({ type, time }: Omit<Dated, 'sequence'>, other: Omit<Dated, 'sequence'>): boolean =>
  isEnough(other.type, type) && other.time >= time

/** Records with further contents are not remembered: a repeat of an older one makes another record. */
const MOST_KNOWN = 20

const withRecord = (state: ConsentState, { fingerprint }: Received): Pick<ConsentState, 'known' | 'last_sequence'> => {
  const sequence = state.last_sequence + 1
  const others = state.known.filter((each) => each.fingerprint !== fingerprint)
  return { known: [{ fingerprint, sequence }, ...others].slice(0, MOST_KNOWN), last_sequence: sequence }
}

/** States that an earlier version stored have only the time of the revocation. */
const endedUntil = ({ ended_time, revoked_time }: ConsentState): Instant => ended_time ?? revoked_time ?? Number.NEGATIVE_INFINITY

/** A consent counts if its time is after all that have ended, and if it adds to the others. */
export const withConsent = (state: ConsentState, consent: Given): ConsentState => {
  const next = { ...state, ...withRecord(state, consent) }
  const one = { sequence: next.last_sequence, type: consent.type, time: dated(consent) }
  if (one.time <= endedUntil(state) || allGiven(state).some((other) => isCovered(one, other))) return next
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

/**
 * A revocation of calls ends every consent that was received before it, even one of a later time. None of them counts again when a client
 * sends it again with another lead. A revocation of text messages alone ends no consent to calls.
 */
export const withRevocation = (state: ConsentState, revocation: Revoked): ConsentState => {
  const next = { ...state, ...withRecord(state, revocation) }
  if (!revocation.channels.includes('call')) return next
  const time = dated(revocation)
  return {
    ...withAll(next, []),
    revoked_time: Math.max(time, state.revoked_time ?? 0),
    ended_time: Math.max(time, endedUntil(state), ...allGiven(state).map((given) => given.time)),
  }
}
