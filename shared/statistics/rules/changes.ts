import type { Call } from '../../calling/call.ts'
import type { Lead } from '../../leads/lead.ts'
import { dayOf } from '../../platform/values/day.ts'
import type { LeadStatus } from '../../platform/values/values.ts'
import { attemptName, type CountedOutcome, CREATED, callsName, contactsName } from './counted.ts'
import { sourceName } from './source-name.ts'

/** A change of one number. */
export interface CountChange {
  readonly owner: number
  readonly leadType: number | null
  readonly source: string
  /** As YYYY-MM-DD. Null: a number of leads as they are now. */
  readonly day: string | null
  /** The attribute. */
  readonly name: string
  readonly by: number
}

/** The fields of a lead that are counted. */
export type CountedLead = Pick<Lead, 'owner' | 'lead_type' | 'lead_source' | 'created_time'> & { readonly status: LeadStatus }

/** The fields of a call that are counted. `lead_source`: null for a call of an earlier version. */
export type CountedCall = Pick<
  Call,
  | 'owner'
  | 'lead_type'
  | 'lead_source'
  | 'attempt'
  | 'intent_time'
  | 'completed_time'
  | 'refused_time'
  | 'unknown_time'
  | 'outcome'
  | 'is_contact'
>

const groupOf = ({ owner, lead_type, lead_source }: Pick<CountedLead, 'owner' | 'lead_type'> & { readonly lead_source: string }) => ({
  owner,
  leadType: lead_type,
  source: sourceName(lead_source),
})

const ofLead = (lead: CountedLead | undefined): CountChange[] => {
  if (!lead) return []
  const group = groupOf(lead)
  return [
    { ...group, day: null, name: lead.status, by: 1 },
    { ...group, day: dayOf(lead.created_time), name: CREATED, by: 1 },
  ]
}

/** How the call ended; undefined while it lasts. In the order in which the status of a call is decided. */
const endOf = ({ refused_time, completed_time, unknown_time, outcome }: CountedCall): CountedOutcome | undefined => {
  if (refused_time !== null) return 'FAILED'
  if (completed_time !== null) return outcome ?? 'UNKNOWN'
  return unknown_time === null ? undefined : 'UNKNOWN'
}

const ofCall = (call: CountedCall | undefined): CountChange[] => {
  const end = call && endOf(call)
  if (!end || call.lead_source === null) return []
  const hour = new Date(call.intent_time).getUTCHours()
  const group = { ...groupOf({ ...call, lead_source: call.lead_source }), day: dayOf(call.intent_time) }
  return [
    { ...group, name: callsName(hour, end), by: 1 },
    { ...group, name: attemptName(call.attempt), by: 1 },
    ...(call.is_contact === true ? [{ ...group, name: contactsName(hour), by: 1 }] : []),
  ]
}

/** The same number has the same text. */
const identityOf = ({ by, ...number }: CountChange): string => JSON.stringify(number)

/** Changes of the same number become one. Changes that cancel each other are left out. */
export const netChanges = (changes: readonly CountChange[]): CountChange[] =>
  [...Map.groupBy(changes, identityOf).values()].flatMap((same) => {
    const by = same.reduce((sum, change) => sum + change.by, 0)
    return by === 0 || !same[0] ? [] : [{ ...same[0], by }]
  })

const difference = (before: readonly CountChange[], after: readonly CountChange[]): CountChange[] =>
  netChanges([...before.map((change) => ({ ...change, by: -change.by })), ...after])

/**
 * How the counts change when a lead is written or removed. Undefined: no lead, or not counted yet. The counts always equal a count over all
 * items.
 */
export const leadChanges = (before: CountedLead | undefined, after: CountedLead | undefined): CountChange[] =>
  difference(ofLead(before), ofLead(after))

/** As `leadChanges`, for a call. A later end of the same call replaces the earlier one. */
export const callChanges = (before: CountedCall | undefined, after: CountedCall | undefined): CountChange[] =>
  difference(ofCall(before), ofCall(after))
