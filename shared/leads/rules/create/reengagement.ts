import type { LeadType } from '../../../accounts/configuration.ts'
import { nextCall } from '../../../calling/rules/next-call.ts'
import type { CallingPolicy } from '../../../calling/rules/policy.ts'
import { fitsMetadata, TOO_LARGE_METADATA } from '../../../http/fields/metadata.ts'
import { DAY } from '../../../platform/values/durations.ts'
import { invalid, type ServiceError } from '../../../platform/values/errors.ts'
import type { Instant, LeadStatus } from '../../../platform/values/values.ts'
import type { Person } from '../../../stops/compliance.ts'
import type { CreateLead } from '../../api/lead-request.ts'
import type { Lead } from '../../lead.ts'
import { withTimes } from '../field-times.ts'
import { filledFields } from '../lead-fields.ts'
import { newestFirst } from '../newest-first.ts'
import { isCallable } from '../status.ts'
import { NEW_ROUND } from '../transitions.ts'
import { emailKey, hasBoth, isEmailTaken, notUnique, refusedLead, takenEmail } from '../uniqueness.ts'

/** When a create reopens an earlier lead instead of making a new one. */
export interface ReengagementRule {
  /** Counted from the later of creation and last reengagement. */
  readonly minDays: number
  /** Fields that make two leads of a person duplicates. */
  readonly match: LeadType['reengagement']['match']
  readonly eligible: readonly LeadStatus[]
}

const ALWAYS_ELIGIBLE: readonly LeadStatus[] = [
  ...(['CLOSED', 'CLOSED_INCOMPLETE', 'LOST', 'SCHEDULE_COMPLETED', 'BAD_NUMBER', 'OUT_OF_TERRITORY'] as const),
  'CANCELLED',
]

/**
 * The reengagement rule of a create. Undefined when neither its lead type nor the create itself asks for one.
 * @param asked days that the create asks for; they take precedence over the lead type's
 */
export const reengagementRule = (leadType: LeadType | undefined, asked: number | undefined): ReengagementRule | undefined => {
  const settings = leadType?.reengagement
  const minDays = asked ?? (settings?.enabled ? settings.min_days : undefined)
  if (minDays === undefined) return undefined
  const eligible = [...ALWAYS_ELIGIBLE, ...(settings?.eligible_statuses ?? [])]
  return { minDays, match: settings?.match ?? 'phone_and_email', eligible }
}

/** Input of the decision between a new lead, a reengagement and a refusal. */
export interface Creation {
  readonly person: Person
  /** Current leads of the person: at least those that `duplicateIds` names, or only an open one when that decides. */
  readonly leads: readonly Lead[]
  readonly email: string | null | undefined
  readonly rule: ReengagementRule | undefined
  /** The reaction to another open lead of the phone. */
  readonly secondOpenLead: LeadType['second_open_lead']
  /** Whether calls to the phone are stopped. */
  readonly isStopped: boolean
  readonly now: Instant
}

type Decision =
  | { readonly action: 'create' }
  | { readonly action: 'reengage'; readonly lead: Lead }
  | { readonly action: 'merge'; readonly lead: Lead }
  | { readonly action: 'refuse'; readonly error: ServiceError }

/** Ids of the person's leads that a create with this email may duplicate. */
export const duplicateIds = (person: Person, email: string | null | undefined, { match }: Pick<ReengagementRule, 'match'>): number[] =>
  person.leads.filter((lead) => match === 'phone' || lead.email === emailKey(email)).map(({ id }) => id)

const isDuplicate = (lead: Lead, { person, email }: Creation, { match }: ReengagementRule): boolean =>
  isOfPhone(lead, person) && (match === 'phone' || emailKey(lead.email) === emailKey(email))

/** Why a duplicate is not reopened; undefined when it can be. */
const ineligible = (lead: Lead, { now, isStopped }: Creation, { eligible, minDays }: ReengagementRule): string | undefined => {
  if (!eligible.includes(lead.status)) return `its status is ${lead.status}`
  if (lead.call_dnc || isStopped) return 'its person must not be called'
  const since = now - Math.max(lead.created_time, lead.last_reengagement_time ?? 0)
  return since < minDays * DAY ? `it was created or reopened less than ${minDays} days ago` : undefined
}

const REOPEN_OR_UPDATE = 'Update that lead. To reopen it once it is closed or cancelled, create it with min_reengagement_days.'

/** The error for a create whose duplicate is not reopened. */
const notReopened = (lead: Lead, creation: Creation, rule: ReengagementRule): ServiceError => {
  const isSame = emailKey(lead.email) === emailKey(creation.email)
  const why = ineligible(lead, creation, rule) ?? 'another lead has this email'
  return notUnique(`${isSame ? hasBoth(lead.id) : `Lead ${lead.id} has this phone number.`} It is not reopened: ${why}. Update that lead.`)
}

const isOfPhone = (lead: Lead, { owner, phone_number }: Person): boolean => lead.owner === owner && lead.phone_number === phone_number

export const isOpenLeadOf = (lead: Lead, person: Person): boolean => isOfPhone(lead, person) && isCallable(lead.status)

/** Ids of the person's leads in the order in which `openLead` prefers them. New leads are at the end of the person's list. */
export const likeliestOpenIds = ({ leads }: Person, email: string | null | undefined): number[] => {
  const isSame = ({ email: other }: Person['leads'][number]): number => (other === emailKey(email) ? 1 : 0)
  return leads
    .toReversed()
    .sort((a, b) => isSame(b) - isSame(a))
    .map(({ id }) => id)
}

/** The open lead of the phone that forbids another one: the one with the same email, else the newest. */
const openLead = ({ person, leads, email, secondOpenLead }: Creation): Lead | undefined => {
  if (secondOpenLead === 'allow') return undefined
  const open = newestFirst(leads.filter((lead) => isOpenLeadOf(lead, person)))
  return open.find((lead) => emailKey(lead.email) === emailKey(email)) ?? open[0]
}

const secondLead = ({ id }: Lead): ServiceError =>
  invalid({ phone_number: [`This phone number has an open lead already. Lead ${id} is still open: update it, or close it first.`] })

/**
 * Decides what a create does. The newest eligible duplicate is reengaged. When no duplicate is eligible, a create with an email is refused,
 * and a create without an email makes a new lead. Two leads never share both phone and email. An open lead of the phone comes before all of
 * this, if the lead type does not allow a second one.
 */
export const decideCreation = (creation: Creation): Decision => {
  const { person, leads, email, rule } = creation
  const duplicates = rule ? newestFirst(leads.filter((lead) => isDuplicate(lead, creation, rule))) : []
  const again = duplicates.find((lead) => rule && !ineligible(lead, creation, rule) && !isEmailTaken(person, email, lead.id))
  const open = openLead(creation)
  if (open && creation.secondOpenLead === 'merge' && !isEmailTaken(person, email, open.id)) return { action: 'merge', lead: open }
  if (open && open.id !== again?.id) return { action: 'refuse', error: takenEmail(person, email) ?? secondLead(open) }
  if (again) return { action: 'reengage', lead: again }
  const same = duplicates.find((lead) => emailKey(lead.email) === emailKey(email)) ?? duplicates[0]
  if (rule && same && emailKey(email) !== null) return { action: 'refuse', error: notReopened(same, creation, rule) }
  const error = refusedLead(person, email, REOPEN_OR_UPDATE)
  return error ? { action: 'refuse', error } : { action: 'create' }
}

/** Input for a reengagement, besides the lead and the request. */
interface Reengagement {
  /** The lead type of the create. Used when the lead has none. */
  readonly leadType: number | null
  /** Stops on the phone. */
  readonly phone: { readonly call_dnc: boolean; readonly sms_dnc: boolean }
  /** Acceptance sequence. Updates that were accepted before it do not overwrite the newer values. */
  readonly accepted: string
  /** Identifies the create among all requests that can be repeated. */
  readonly requestName: string | number | undefined
  readonly now: Instant
  readonly policy: CallingPolicy
}

const mergeMetadata = (lead: Lead, input: CreateLead): Record<string, unknown> => {
  const metadata = { ...lead.metadata, ...input.metadata }
  if (!fitsMetadata(metadata)) throw invalid({ metadata: [TOO_LARGE_METADATA] })
  return metadata
}

/** The fields with a value in the request. The phone number is not among them: the lead has the same. */
const supplied = (input: CreateLead): Partial<Lead> => ({
  ...filledFields({ ...input, phone_number: undefined }),
  ...(input.lead_type && { lead_type: input.lead_type }),
  ...(input.call_schedule_start_time && { call_schedule_start_time: input.call_schedule_start_time }),
})

/**
 * Reopens the lead with the newer data and schedules its next call. Never lifts a stop.
 * @throws ServiceError under `metadata` when old and new metadata together exceed the limit
 */
export const reengaged = (lead: Lead, input: CreateLead, made: Reengagement): Lead => {
  const { phone, now, accepted } = made
  const newer = supplied(input)
  const metadata = mergeMetadata(lead, input)
  const setFields = [...Object.keys(newer), 'status', 'status_detail']
  const next: Lead = {
    ...lead,
    lead_type: lead.lead_type ?? made.leadType,
    ...newer,
    metadata,
    version: lead.version + 1,
    cause: 'reengage',
    status: 'OPEN',
    status_detail: null,
    status_reason: 'REENGAGEMENT',
    sms_dnc: lead.sms_dnc || phone.sms_dnc || input.sms_dnc === true,
    call_dnc: lead.call_dnc || phone.call_dnc || input.call_dnc === true,
    modified_time: now,
    reengagements_count: lead.reengagements_count + 1,
    last_reengagement_time: now,
    reengaged_for: made.requestName ?? null,
    ...NEW_ROUND,
    current_call: null,
    field_times: withTimes(lead.field_times, setFields, Object.keys(input.metadata ?? {}), accepted),
  }
  return { ...next, ...nextCall(next, now, 'REENGAGEMENT', made.policy) }
}
