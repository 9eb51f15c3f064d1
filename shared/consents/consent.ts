import * as v from 'valibot'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'
import { CHANNELS } from '../stops/compliance.ts'

/** Types of consent, the weakest first. `none` records that nobody consented. */
export const CONSENT_TYPES = ['none', 'oral', 'written', 'written_seller'] as const
export type ConsentType = (typeof CONSENT_TYPES)[number]

/** Whether a consent of the first type is enough where the second one is demanded. */
export const isEnough = (found: ConsentType, demanded: ConsentType): boolean =>
  CONSENT_TYPES.indexOf(found) >= CONSENT_TYPES.indexOf(demanded)

/** The strictest of some types; `none` when there is none. */
export const strictest = (types: readonly ConsentType[]): ConsentType =>
  types.reduce((one, other) => (isEnough(one, other) ? one : other), 'none')

/** Types that a lead type can demand. */
export const DEMANDED_TYPES = ['oral', 'written', 'written_seller'] as const

/** The consent that a lead type demands. */
export const DemandedConsent = v.object({
  /** Metadata key that proves the person's consent. A lead without that proof is not called. Null: no proof is required. */
  consent_field: absentAsNull(v.string()),
  /** The least that must be recorded for the phone. Null: nothing. */
  consent_type: absentAsNull(v.picklist(DEMANDED_TYPES)),
  /** The least where a lead may be in a state. It counts if it is stricter. */
  consent_by_state: v.optional(v.record(v.string(), v.picklist(DEMANDED_TYPES)), {}),
})
export type DemandedConsent = v.InferOutput<typeof DemandedConsent>

export const CONSENT_KINDS = ['given', 'revoked'] as const

/** One consent, or one revocation, as it was received. Written once: only an erasure of the person deletes it. */
export const ConsentRecord = v.object({
  /** Counts the records of the phone in the order in which they were received, from 1. */
  sequence: v.number(),
  owner: Id,
  phone_number: v.string(),
  kind: v.picklist(CONSENT_KINDS),
  /** When the person gave or revoked the consent, as the client says. */
  time: Instant,
  received_time: Instant,
  /** The user, or the member of staff who acted for the user. */
  received_by: Id,
  source: absentAsNull(v.string()),
  type: absentAsNull(v.picklist(CONSENT_TYPES)),
  proof_text: absentAsNull(v.string()),
  proof_url: absentAsNull(v.string()),
  seller: absentAsNull(v.string()),
  /** The lead that the consent came with. The record stays with the phone when the lead gets another one. */
  lead_id: absentAsNull(Id),
  how: absentAsNull(v.string()),
  /** The channels that a revocation ends. */
  channels: v.optional(v.array(v.picklist(CHANNELS)), []),
})
export type ConsentRecord = v.InferOutput<typeof ConsentRecord>

/** A consent to calls that counts. */
const CurrentConsent = v.object({ sequence: v.number(), type: v.picklist(CONSENT_TYPES), time: Instant })

/** The current consent of a phone, computed from its records. */
export const ConsentState = v.object({
  owner: Id,
  phone_number: v.string(),
  /** The strongest consent to calls that no revocation follows; of several, the latest. */
  given: absentAsNull(CurrentConsent),
  /** Weaker consents of later times, the strongest first. They count if a revocation to another user of the group ends the stronger ones. */
  weaker: v.optional(v.array(CurrentConsent), []),
  /** The latest revocation of the consent to calls. */
  revoked_time: absentAsNull(Instant),
  /** A consent counts only if its time is later. The latest time of all revocations of calls and of the consents that they ended. */
  ended_time: absentAsNull(Instant),
  /** Fingerprints of the latest consents, to know a repeat. The newest first. */
  known: v.optional(v.array(v.object({ fingerprint: v.string(), sequence: v.number() })), []),
  last_sequence: v.number(),
})
export type ConsentState = v.InferOutput<typeof ConsentState>
