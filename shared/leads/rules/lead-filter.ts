import type { Instant, LeadStatus } from '../../platform/values/values.ts'
import type { Lead } from '../lead.ts'

/** A range of instants. Both ends are included. Undefined: no limit. */
export interface TimeRange {
  readonly after: Instant | undefined
  readonly before: Instant | undefined
}

/** Selects the leads of a list. Undefined values select all leads. */
export interface LeadFilter {
  readonly statuses: readonly LeadStatus[] | undefined
  readonly leadType: number | undefined
  readonly modified: TimeRange
  readonly created: TimeRange
}

export const isLimited = ({ after, before }: TimeRange): boolean => after !== undefined || before !== undefined

export const isWithin = ({ after = -Infinity, before = Infinity }: TimeRange, instant: Instant): boolean =>
  after <= instant && instant <= before

export const fitsFilter = ({ status, lead_type, modified_time, created_time }: Lead, filter: LeadFilter): boolean =>
  (filter.statuses === undefined || filter.statuses.includes(status)) &&
  (filter.leadType === undefined || filter.leadType === lead_type) &&
  isWithin(filter.modified, modified_time) &&
  isWithin(filter.created, created_time)
