import * as v from 'valibot'
import { fitsMetadata } from '../../http/fields/metadata.ts'
import { phoneField } from '../../http/fields/phone.ts'
import { isSameJson } from '../../platform/values/is-same-json.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Lead } from '../lead.ts'
import { fillableField, isLeadField, valueFor } from './collectable.ts'
import { collectField } from './collected-field.ts'

/** The result of applying the data that an agent collected. */
export type Collected = { readonly lead: Lead | undefined; readonly isTooLarge: boolean }

export interface Collection {
  /** When the data was reported. */
  readonly at: Instant
  readonly now: Instant
  /** Whether another lead of the same person has the email. */
  readonly isEmailTaken: (email: string) => boolean
}

/** Prefix of the metadata keys for values that name a lead field but did not become the field's value. */
const PREFIX = 'collected_'

/** A key may be called `constructor` or `__proto__`: only own keys count. */
const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(map, key) ? map[key] : undefined)

const isBlank = (said: unknown): boolean => said === null || (typeof said === 'string' && said.trim() === '')

/** The lead's own number is not news. */
const isOwnNumber = (lead: Lead, name: string, said: unknown): boolean =>
  name === 'phone_number' && v.safeParse(phoneField(), said).output === lead.phone_number

/** Applies a value that was reported for one of the lead's fields. */
const withField = (lead: Lead, [name, said]: readonly [string, unknown], { at, isEmailTaken }: Collection): Lead => {
  if (isBlank(said) || isOwnNumber(lead, name, said)) return lead
  const field = fillableField(name)
  const read = field && valueFor(field, said)
  const value = field === 'email' && typeof read === 'string' && isEmailTaken(read) ? undefined : read
  const before = lead.collected_fields[name]
  const { known, filled, conflict } = collectField(lead, before, { field, value, said: read ?? said, at })
  if (isSameJson(known, before)) return lead
  return {
    ...lead,
    ...(field && filled !== undefined && { [field]: filled }),
    ...(conflict !== undefined && { metadata: { ...lead.metadata, [`${PREFIX}${name}`]: conflict } }),
    collected_fields: { ...lead.collected_fields, [name]: known },
  }
}

/** Puts data that names no lead field into the metadata, key by key. An older report never replaces a newer one. */
const withKeys = (lead: Lead, entries: readonly (readonly [string, unknown])[], at: Instant): Lead => {
  const news = entries.filter(([key]) => (own(lead.collected_times, key) ?? 0) < at)
  if (news.length === 0) return lead
  const times = news.map(([key]) => [key, at] as const)
  return {
    ...lead,
    metadata: { ...lead.metadata, ...Object.fromEntries(news) },
    collected_times: { ...lead.collected_times, ...Object.fromEntries(times) },
  }
}

const isShownAlike = (one: Lead, other: Lead): boolean =>
  Object.keys(other.metadata).every((key) => isSameJson(own(one.metadata, key), own(other.metadata, key))) &&
  Object.keys(other.collected_fields).every((name) => {
    const field = fillableField(name)
    return field === undefined || one[field] === other[field]
  })

/**
 * Applies the data collected in a call to the lead. A value that names a lead field fills the field when it is empty. A value that the
 * field does not take is kept in the metadata as `collected_email` and the like. All other data goes into the metadata under its own name.
 * `lead` is undefined when nothing changes. It is also undefined when the metadata would exceed its limits: that must not block the call's
 * outcome.
 */
export const withCollected = (lead: Lead, collected: Readonly<Record<string, unknown>>, collection: Collection): Collected => {
  const { ofLead = [], others = [] } = Object.groupBy(Object.entries(collected), ([name]) => (isLeadField(name) ? 'ofLead' : 'others'))
  const filled = ofLead.reduce((next, entry) => withField(next, entry, collection), lead)
  const next = withKeys(filled, others, collection.at)
  if (next === lead) return { lead: undefined, isTooLarge: false }
  if (!fitsMetadata({ ...next.metadata, ...next.collected_fields })) return { lead: undefined, isTooLarge: true }
  const cause = isShownAlike(lead, next) ? 'outcome' : 'collect'
  return { lead: { ...next, cause, modified_time: collection.now }, isTooLarge: false }
}
