/** Where a mapping may put a value. */

/** Prefix of a mapping's target that is a key of the metadata. */
export const METADATA_PREFIX = 'metadata.'

/** Prefix of a mapping's target that is a field of the consent that comes with a lead. */
export const CONSENT_PREFIX = 'consent.'

/** Fields that can identify a lead. A lookup by all of them uses this order. */
export const LOOKUPS = ['external_id', 'phone_number', 'email'] as const
export type Lookup = (typeof LOOKUPS)[number]
