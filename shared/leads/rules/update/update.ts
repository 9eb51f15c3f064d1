import { settingOf } from '../../../backlog/rules/holders.ts'
import { callingHours } from '../../../calling/rules/calling-hours.ts'
import { type NextCall, NO_NEXT_CALL, nextCall, releasedCall, wantedTime, withoutWaiting } from '../../../calling/rules/next-call.ts'
import type { CallingPolicy } from '../../../calling/rules/policy.ts'
import { fitsMetadata, TOO_LARGE_METADATA } from '../../../http/fields/metadata.ts'
import { invalid } from '../../../platform/values/errors.ts'
import { type Instant, isSameJson } from '../../../platform/values/values.ts'
import type { UpdateLead } from '../../api/lead-request.ts'
import type { Lead } from '../../lead.ts'
import { isKeyInDoubt, isKeySetSince, isSetSince, mayBeEvidence, withTimes } from '../field-times.ts'
import { sentFields, UPDATED_FIELDS } from '../lead-fields.ts'
import { type UpdateCause, withStatus } from '../transitions.ts'

interface PlanInputs {
  readonly now: Instant
  readonly policy: CallingPolicy
  /** Stops on the phone that the lead has after the update. */
  readonly phone: { readonly call_dnc: boolean }
}

const hoursOf = (lead: Lead, { policy }: PlanInputs): string => JSON.stringify(callingHours(lead, policy).hours)

const newCall = (lead: Lead, { now, policy }: PlanInputs): NextCall => nextCall(lead, now, 'NEXT_AVAILABLE_SLOT', policy)

/** Whether the lead may be called, now or after a change of a setting. */
const mayBeCalled = (lead: Lead, planInputs: PlanInputs): boolean => newCall(lead, planInputs).due_list !== null

/** Whether an update may end what a held lead waits for, or may change it. */
const mayRelease = (before: Lead, after: Lead, planInputs: PlanInputs): boolean =>
  after.lead_type !== before.lead_type ||
  after.phone_number !== before.phone_number ||
  after.metadata !== before.metadata ||
  Object.keys(after.metadata).some((key) => !mayBeEvidence(before, key) && mayBeEvidence(after, key)) ||
  hoursOf(before, planInputs) !== hoursOf(after, planInputs)

/**
 * Moves a scheduled call only when the lead's calling hours change. A call with another reason to wait is checked again before its dial.
 */
const movedCall = (before: Lead, after: Lead, planInputs: PlanInputs): NextCall => {
  const { next_call_time, next_call_time_reason: reason, due_list } = after
  if (settingOf(after) !== undefined)
    return mayRelease(before, after, planInputs) ? releasedCall(after, planInputs.now, planInputs.policy) : after
  if (due_list === 'HELD' && after.lead_type !== before.lead_type)
    return { ...after, next_call_time_reason: withoutWaiting(reason), due_list: 'CALL', held_by: null }
  const isListed = due_list !== 'CALL' && (next_call_time === null || next_call_time <= planInputs.now)
  const stays = isListed || hoursOf(before, planInputs) === hoursOf(after, planInputs)
  if (stays || next_call_time === null || reason === null) return after
  const { now, policy } = planInputs
  const moved = nextCall(after, wantedTime(after, now), reason, policy)
  return moved.next_call_time === null ? moved : { ...moved, promised_time: moved.promised_time ?? after.promised_time }
}

/**
 * The next call of a lead after an update. A lead that becomes callable is scheduled. Its status, its lead type or new metadata that may
 * prove consent can make it callable. A lifted stop or a new phone can do so too. A lead in a call waits for the outcome.
 */
const callAfterUpdate = (before: Lead, after: Lead, planInputs: PlanInputs): NextCall => {
  if (!mayBeCalled(after, planInputs)) return NO_NEXT_CALL
  if (after.next_call_time !== null) return movedCall(before, after, planInputs)
  const isMoved = after.phone_number !== before.phone_number || after.lead_type !== before.lead_type
  const isOther = isMoved || after.metadata !== before.metadata
  const isNews = isOther || after.status !== before.status || !mayBeCalled(before, planInputs)
  if (after.current_call !== null || planInputs.phone.call_dnc || !isNews) return NO_NEXT_CALL
  return newCall(after, planInputs)
}

/** Who made an update, and when it was accepted. */
export interface Acceptance {
  readonly cause: UpdateCause
  /** Acceptance sequence. */
  readonly accepted: string
  /**
   * Whether the update is applied in the request that accepts it: nothing on the lead can then be newer. Otherwise it is applied later,
   * perhaps after newer updates and more than once.
   */
  readonly atOnce?: boolean
}

/** Input of an update, besides the lead and the request. */
export interface UpdateInputs extends Acceptance, PlanInputs {
  /** Stops on the phone that the lead has after the update. */
  readonly phone: { readonly call_dnc: boolean; readonly sms_dnc: boolean }
}

/**
 * Whether a stop field stays in the update although a later change has set it, because the stop must reach the phone number that this
 * update sets. `rest` has that number while it still counts.
 */
const isStopOfNewPhone = (lead: Lead, rest: UpdateLead, field: (typeof UPDATED_FIELDS)[number]): boolean =>
  (field === 'call_dnc' || field === 'sms_dnc') && rest.phone_number !== undefined && rest[field] === true && lead[field]

/** The part of an update that neither a later change nor an earlier run of this update has set. */
export const unappliedPart = (lead: Lead, patch: UpdateLead, { accepted, atOnce = false }: Acceptance): UpdateLead => {
  if (atOnce) return patch
  const rest: UpdateLead = { ...patch }
  for (const field of UPDATED_FIELDS) if (isSetSince(lead, field, accepted) && !isStopOfNewPhone(lead, rest, field)) delete rest[field]
  const keys = Object.entries(patch.metadata ?? {}).filter(([key]) => !isKeySetSince(lead, key, accepted))
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
const stops = (lead: Lead, patch: UpdateLead, phone: UpdateInputs['phone']) => {
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
const withFields = (lead: Lead, patch: UpdateLead, inputs: UpdateInputs): Lead => {
  const moved = withStatus(lead, statusAfter(lead, patch), inputs.cause)
  const keepsDetail = !inputs.atOnce && isSetSince(lead, 'status_detail', inputs.accepted)
  return {
    ...moved,
    status_reason: inputs.cause === 'WEBHOOK' ? 'WEBHOOK' : moved.status_reason,
    ...sentFields(patch),
    status_detail: keepsDetail ? lead.status_detail : or(patch.status_detail, moved.status_detail),
    lead_type: or(patch.lead_type, lead.lead_type),
    ...stops(lead, patch, inputs.phone),
  }
}

/**
 * Applies an update to the lead, and moves its next call accordingly. Metadata is merged by key; `metadata: null` changes nothing. Values
 * from later changes stay. Unchanged values get the update's time too, so that an older update that is applied later does not undo them.
 * @returns undefined when nothing is left of the update
 * @throws ServiceError of validation
 */
export const updatedLead = (lead: Lead, patch: UpdateLead, inputs: UpdateInputs): Lead | undefined => {
  const rest = unappliedPart(lead, patch, inputs)
  const next = withFields(lead, rest, inputs)
  const news = Object.entries(rest.metadata ?? {})
  const newKeys = news.flatMap(([key, value]) => (isSame(lead.metadata, key, value) ? [] : key))
  const newFields = UPDATED_FIELDS.filter((field) => next[field] !== lead[field])
  refuseDoubts(lead, newKeys, inputs)
  const isPickedUp = next.status_reason !== lead.status_reason
  const isChanged = newKeys.length > 0 || newFields.length > 0 || isPickedUp
  const keys = news.map(([key]) => key)
  // A status that only follows from the lead type was not set: an earlier update of the status, applied later, still wins.
  const isSet = (field: (typeof UPDATED_FIELDS)[number]): boolean =>
    rest[field] !== undefined || (newFields.includes(field) && field !== 'status')
  const fields = UPDATED_FIELDS.filter(isSet)
  if (keys.length === 0 && fields.length === 0 && !isPickedUp) return undefined
  const changed: Lead = {
    ...next,
    version: lead.version + 1,
    cause: 'update',
    metadata: newKeys.length > 0 ? merge(lead.metadata, rest.metadata ?? {}) : lead.metadata,
    field_times: withTimes(lead.field_times, fields, keys, inputs.accepted),
    ...(next.phone_number !== lead.phone_number && { phone_changed: inputs.accepted }),
    modified_time: isChanged ? inputs.now : lead.modified_time,
  }
  return { ...changed, ...callAfterUpdate(lead, changed, inputs) }
}
