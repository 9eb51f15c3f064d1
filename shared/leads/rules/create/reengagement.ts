import type { LeadType } from '../../../accounts/configuration.ts'
import { DAY } from '../../../platform/values/durations.ts'
import type { ServiceError } from '../../../platform/values/errors.ts'
import type { Instant, LeadStatus } from '../../../platform/values/values.ts'
import type { Person } from '../../../stops/compliance.ts'
import type { Lead } from '../../lead.ts'
import { newestFirst } from '../newest-first.ts'
import { emailKey, isEmailTaken, notUnique, refusedLead } from '../uniqueness.ts'

/** When a create reopens an earlier lead instead of making a new one. */
export interface ReengagementRule {
  /** Counted from the later of creation and last reengagement. */
  readonly minDays: number
  /** Which fields make two leads of a person duplicates. */
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
  /** Current leads of the person: at least those that `duplicateIds` names. */
  readonly leads: readonly Lead[]
  readonly email: string | null | undefined
  readonly rule: ReengagementRule | undefined
  /** Whether calls to the phone are stopped. */
  readonly isStopped: boolean
  readonly now: Instant
}

export type Decision =
  | { readonly action: 'create' }
  | { readonly action: 'reengage'; readonly lead: Lead }
  | { readonly action: 'refuse'; readonly error: ServiceError }

/** Ids of the person's leads that a create with this email may duplicate. */
export const duplicateIds = (person: Person, email: string | null | undefined, { match }: Pick<ReengagementRule, 'match'>): number[] =>
  person.leads.filter((lead) => match === 'phone' || lead.email === emailKey(email)).map(({ id }) => id)

const isDuplicate = (lead: Lead, { person, email }: Creation, { match }: ReengagementRule): boolean =>
  lead.owner === person.owner &&
  lead.phone_number === person.phone_number &&
  (match === 'phone' || emailKey(lead.email) === emailKey(email))

const isEligible = (lead: Lead, { now, isStopped }: Creation, { eligible, minDays }: ReengagementRule): boolean =>
  eligible.includes(lead.status) &&
  !lead.call_dnc &&
  !isStopped &&
  now - Math.max(lead.created_time, lead.last_reengagement_time ?? 0) >= minDays * DAY

/**
 * Decides what a create does. The newest eligible duplicate is reengaged. When no duplicate is eligible, a create with an email is refused,
 * and a create without an email makes a new lead. Two leads never share both phone and email.
 */
export const decideCreation = (creation: Creation): Decision => {
  const { person, leads, email, rule } = creation
  const duplicates = rule ? leads.filter((lead) => isDuplicate(lead, creation, rule)) : []
  const [lead] = newestFirst(duplicates.filter((each) => rule && isEligible(each, creation, rule) && !isEmailTaken(person, email, each.id)))
  if (lead) return { action: 'reengage', lead }
  if (duplicates.length > 0 && emailKey(email) !== null) return { action: 'refuse', error: notUnique() }
  const error = refusedLead(person, email)
  return error ? { action: 'refuse', error } : { action: 'create' }
}
