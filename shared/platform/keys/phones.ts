import type { Instant } from '../values/values.ts'
import { type Key, keyPart } from './key.ts'

/** The key of a phone in its partition. */
export const phoneKeyAt = (pk: string): Key => ({ pk, sk: 'PHONE' })
export const phoneKey = (group: string, hash: string): Key => phoneKeyAt(`PHONE#${group}#${hash}`)

export const STOP_RECORD_PREFIX = 'STOP#'
/** A record of a stop that is no longer stored with its phone. @param accepted sorts records by time @param digest of the record's text */
export const stopRecordKey = (pk: string, accepted: string, digest: string): Key => ({
  pk,
  sk: `${STOP_RECORD_PREFIX}${accepted}#${digest}`,
})

/** The DNC group of a phone, and its hash. @throws Error when the key is not a phone's. */
export const parsePhonePk = (pk: string): { readonly group: string; readonly hash: string } => {
  const group = parsePhoneGroup(pk)
  return { group, hash: pk.slice(`PHONE#${group}#`.length) }
}

/** The DNC group of a phone. @throws Error when the key is not a phone's. */
export const parsePhoneGroup = (pk: string): string => keyPart(pk, /^PHONE#(.+)#[^#]+$/, 'a phone')

/** Membership of a user in a DNC group. */
export const memberKey = (group: string, user: number): Key => ({ pk: `DNCGROUP#${group}`, sk: `USER#${user}` })
export const litigatorKey = (hash: string): Key => ({ pk: `LITIGATOR#${hash}`, sk: 'LITIGATOR' })
export const DELISTED_PREFIX = 'DELISTED#'
/** The record that a phone was on the list of litigators until a time. */
export const delistedLitigatorKey = (hash: string, until: Instant): Key => ({
  pk: litigatorKey(hash).pk,
  sk: `${DELISTED_PREFIX}${new Date(until).toISOString()}`,
})
/** Jurisdictions in which all calls are forbidden. */
export const emergenciesKey: Key = { pk: 'CALLING', sk: 'EMERGENCIES' }
/** The deployment's settings for planning calls, as last seen. */
export const deploymentKey: Key = { pk: 'CALLING', sk: 'DEPLOYMENT' }
/** A running erasure of a person: from one owner's leads, or from everybody's. */
export const erasureKey = (hash: string, owner: number | undefined): Key => ({ pk: `ERASURE#${hash}`, sk: `ERASURE#${owner ?? 'ALL'}` })
