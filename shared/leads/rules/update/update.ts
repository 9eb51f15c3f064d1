import { fitsMetadata, TOO_LARGE_METADATA } from '../../../http/fields/metadata.ts'
import { invalid } from '../../../platform/values/errors.ts'
import { isSameJson } from '../../../platform/values/is-same-json.ts'
import type { UpdateLead } from '../../api/update-lead.ts'
import type { Lead } from '../../lead.ts'
import { isKeyInDoubt, isKeySettled, isSettled, withTimes } from '../field-times.ts'
import { type UpdateCause, withStatus } from '../transitions.ts'
import { type Circumstances, callAfterUpdate } from './call-after-update.ts'

/** Who made an update, and when it was accepted. */
export interface Acceptance {
  readonly cause: UpdateCause
  /** Acceptance sequence. */
  readonly accepted: string
  /**
   * Whether the update is applied as it is accepted: nothing on the lead can then be newer. Otherwise it is applied later, perhaps after
   * newer updates and more than once.
   */
  readonly atOnce?: boolean
}

/** Input of an update, besides the lead and the request. */
export interface UpdateFacts extends Acceptance, Circumstances {
  /** Stops on the phone that the lead has after the update. */
  readonly phone: { readonly call_dnc: boolean; readonly sms_dnc: boolean }
}

const PLAIN_FIELDS = [
  ...(['email', 'phone_number', 'status', 'status_detail', 'lead_type', 'representative', 'external_id'] as const),
  ...(['us_state', 'lead_source', 'sms_dnc', 'call_dnc'] as const),
]

/** A stop that was confirmed since must still reach the phone that this update sets. `rest` has the phone number while it still counts. */
const isStopOfNewPhone = (lead: Lead, rest: UpdateLead, field: (typeof PLAIN_FIELDS)[number]): boolean =>
  (field === 'call_dnc' || field === 'sms_dnc') && rest.phone_number !== undefined && rest[field] === true && lead[field]

/** The part of an update that neither a later change nor an earlier run of this update has set. */
export const unsettled = (lead: Lead, patch: UpdateLead, { accepted, atOnce = false }: Acceptance): UpdateLead => {
  if (atOnce) return patch
  const rest: UpdateLead = { ...patch }
  for (const field of PLAIN_FIELDS) if (isSettled(lead, field, accepted) && !isStopOfNewPhone(lead, rest, field)) delete rest[field]
  const keys = Object.entries(patch.metadata ?? {}).filter(([key]) => !isKeySettled(lead, key, accepted))
  return { ...rest, metadata: Object.fromEntries(keys) }
}

const isSame = (metadata: Lead['metadata'], key: string, value: unknown): boolean =>
  Object.hasOwn(metadata, key) && isSameJson(metadata[key], value)

/** @throws ServiceError under `metadata` when old and new metadata together exceed the limit. */
const merge = (metadata: Lead['metadata'], news: Lead['metadata']): Lead['metadata'] => {
  const merged = { ...metadata, ...news }
  if (!fitsMetadata(merged)) throw invalid({ metadata: [TOO_LARGE_METADATA] })
  return merged
}

/** @throws ServiceError when a newer change may have set a key: both overwriting and dropping the value could be wrong. */
const refuseDoubts = (lead: Lead, keys: readonly string[], { accepted, atOnce }: Acceptance): void => {
  const doubts = atOnce ? [] : keys.filter((key) => isKeyInDoubt(lead, key, accepted))
  if (doubts.length === 0) return
  const some = doubts.slice(0, 3).map((key) => JSON.stringify(key.slice(0, 40)))
  const more = doubts.length > some.length ? ` and ${doubts.length - some.length} more` : ''
  throw invalid({ metadata: [`${some.join(', ')}${more} may have been set by a newer update. Nothing was changed. Please send it again.`] })
}

const or = <T>(sent: T | undefined, current: T): T => (sent === undefined ? current : sent)

/** A stop belongs to its phone: a lead with a new phone shows the stops of the new phone. */
const stops = (lead: Lead, patch: UpdateLead, phone: UpdateFacts['phone']) => {
  if (or(patch.phone_number, lead.phone_number) === lead.phone_number) {
    return { call_dnc: or(patch.call_dnc, lead.call_dnc), sms_dnc: or(patch.sms_dnc, lead.sms_dnc) }
  }
  return { call_dnc: phone.call_dnc || patch.call_dnc === true, sms_dnc: phone.sms_dnc || patch.sms_dnc === true }
}

/** A NEW lead without a lead type becomes OPEN when it gets one. */
const statusAfter = (lead: Lead, patch: UpdateLead): Lead['status'] => {
  const isTyped = lead.lead_type === null && or(patch.lead_type, null) !== null
  return or(patch.status, lead.status === 'NEW' && isTyped ? 'OPEN' : lead.status)
}

/** Applies the plain fields of an update. */
const withFields = (lead: Lead, patch: UpdateLead, facts: UpdateFacts): Lead => {
  const moved = withStatus(lead, statusAfter(lead, patch), facts.cause)
  const keepsDetail = !facts.atOnce && isSettled(lead, 'status_detail', facts.accepted)
  return {
    ...moved,
    status_reason: facts.cause === 'WEBHOOK' ? 'WEBHOOK' : moved.status_reason,
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
 * Applies an update to the lead, and moves its next call accordingly. Metadata is merged by key; `metadata: null` changes nothing. Values
 * from later changes stay. Unchanged values get the update's time too, so that an older update that is applied later does not undo them.
 * @returns undefined when nothing is left of the update
 * @throws ServiceError of validation
 */
export const updatedLead = (lead: Lead, patch: UpdateLead, facts: UpdateFacts): Lead | undefined => {
  const rest = unsettled(lead, patch, facts)
  const next = withFields(lead, rest, facts)
  const news = Object.entries(rest.metadata ?? {})
  const newKeys = news.flatMap(([key, value]) => (isSame(lead.metadata, key, value) ? [] : key))
  const newFields = PLAIN_FIELDS.filter((field) => next[field] !== lead[field])
  refuseDoubts(lead, newKeys, facts)
  const isPickedUp = next.status_reason !== lead.status_reason
  const isChanged = newKeys.length > 0 || newFields.length > 0 || isPickedUp
  const keys = news.map(([key]) => key)
  // A status that only follows from the lead type was not set: an earlier update of the status, applied later, still wins.
  const isSet = (field: (typeof PLAIN_FIELDS)[number]): boolean =>
    rest[field] !== undefined || (newFields.includes(field) && field !== 'status')
  const fields = PLAIN_FIELDS.filter(isSet)
  if (keys.length === 0 && fields.length === 0 && !isPickedUp) return undefined
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
