import { fitsMetadata, TOO_LARGE_METADATA } from '../../schema/fields/metadata.ts'
import type { Lead } from '../../schema/lead.ts'
import type { UpdateLead } from '../../schema/requests/update-lead.ts'
import { invalid } from '../errors.ts'
import { type Circumstances, callAfterUpdate } from './call-after-update.ts'
import { isKeySettled, isSettled, withTimes } from './field-times.ts'
import { type UpdateCause, withStatus } from './transitions.ts'

/** When and by whom an update was accepted. */
export interface Acceptance {
  readonly cause: UpdateCause
  /** Acceptance sequence. */
  readonly accepted: string
  /**
   * It is made as it is accepted: nothing that the lead has can be newer, and what it does not change is not worth a write.
   * Otherwise it is made later, perhaps after newer ones and more than once, and what it confirms is noted as well.
   */
  readonly atOnce?: boolean
}

/** What an update goes by, besides the lead and what was sent. */
export interface UpdateFacts extends Acceptance, Circumstances {
  /** What stands against the phone that the lead has after the update. */
  readonly phone: { readonly call_dnc: boolean; readonly sms_dnc: boolean }
  /** Write down that the update set a field, although it found it so. */
  readonly notesAll: boolean
}

const PLAIN_FIELDS = [
  ...(['email', 'phone_number', 'status', 'status_detail', 'lead_type', 'representative', 'external_id'] as const),
  ...(['us_state', 'lead_source', 'sms_dnc', 'call_dnc'] as const),
]

/** What of an update is not settled by what was accepted later, or is this very update. */
export const unsettled = (lead: Lead, patch: UpdateLead, { accepted, atOnce = false }: Acceptance): UpdateLead => {
  if (atOnce) return patch
  const rest: UpdateLead = { ...patch }
  for (const field of PLAIN_FIELDS) if (isSettled(lead, field, accepted)) delete rest[field]
  const keys = Object.entries(patch.metadata ?? {}).filter(([key]) => !isKeySettled(lead, key, accepted))
  return { ...rest, metadata: Object.fromEntries(keys) }
}

const isSame = (metadata: Lead['metadata'], key: string, value: unknown): boolean =>
  Object.hasOwn(metadata, key) && JSON.stringify(metadata[key]) === JSON.stringify(value)

/** @throws ServiceError under `metadata` when what the lead has and what is new are too much together. */
const merge = (metadata: Lead['metadata'], news: Lead['metadata']): Lead['metadata'] => {
  const merged = { ...metadata, ...news }
  if (!fitsMetadata(merged)) throw invalid({ metadata: [TOO_LARGE_METADATA] })
  return merged
}

const or = <T>(sent: T | undefined, current: T): T => (sent === undefined ? current : sent)

/** A stop stays with its phone: a lead with another phone shows what stands against that one. */
const stops = (lead: Lead, patch: UpdateLead, phone: UpdateFacts['phone']) => {
  if (or(patch.phone_number, lead.phone_number) === lead.phone_number) {
    return { call_dnc: or(patch.call_dnc, lead.call_dnc), sms_dnc: or(patch.sms_dnc, lead.sms_dnc) }
  }
  return { call_dnc: phone.call_dnc || patch.call_dnc === true, sms_dnc: phone.sms_dnc || patch.sms_dnc === true }
}

/** The lead with the plain fields of an update. */
const withFields = (lead: Lead, patch: UpdateLead, facts: UpdateFacts): Lead => {
  const moved = withStatus(lead, or(patch.status, lead.status), facts.cause)
  const keepsDetail = !facts.atOnce && isSettled(lead, 'status_detail', facts.accepted)
  return {
    ...moved,
    email: or(patch.email, lead.email),
    phone_number: or(patch.phone_number, lead.phone_number),
    status_detail: keepsDetail ? lead.status_detail : or(patch.status_detail, moved.status_detail),
    lead_type: or(patch.lead_type, lead.lead_type),
    representative: or(patch.representative, lead.representative),
    external_id: or(patch.external_id, lead.external_id),
    us_state: or(patch.us_state, lead.us_state),
    lead_source: or(patch.lead_source, lead.lead_source),
    ...stops(lead, patch, facts.phone),
  }
}

/**
 * The lead after an update, its next call moved as that asks. Metadata is merged by key; its null says nothing. What was set by
 * something accepted later stays.
 * @returns undefined when nothing changes
 * @throws ServiceError of validation
 */
export const updatedLead = (lead: Lead, patch: UpdateLead, facts: UpdateFacts): Lead | undefined => {
  const rest = unsettled(lead, patch, facts)
  const next = withFields(lead, rest, facts)
  const news = Object.entries(rest.metadata ?? {})
  const newKeys = news.flatMap(([key, value]) => (isSame(lead.metadata, key, value) ? [] : key))
  const newFields = PLAIN_FIELDS.filter((field) => next[field] !== lead[field])
  const isChanged = newKeys.length > 0 || newFields.length > 0
  const keys = facts.notesAll ? news.map(([key]) => key) : newKeys
  const fields = PLAIN_FIELDS.filter((field) => newFields.includes(field) || (facts.notesAll && rest[field] !== undefined))
  if (keys.length === 0 && fields.length === 0) return undefined
  const changed: Lead = {
    ...next,
    version: lead.version + 1,
    cause: 'update',
    metadata: newKeys.length > 0 ? merge(lead.metadata, rest.metadata ?? {}) : lead.metadata,
    field_times: withTimes(lead.field_times, fields, keys, facts.accepted),
    modified_time: isChanged ? facts.now : lead.modified_time,
  }
  return { ...changed, ...callAfterUpdate(lead, changed, facts) }
}
