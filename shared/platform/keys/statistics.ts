import type { Key } from './key.ts'

/** Partition of all counts of an owner. */
export const statisticsPk = (owner: number): string => `STATS#${owner}`

/** Leads or calls that are counted together: those of one lead type and lead source. */
export interface CountedGroup {
  readonly leadType: number | null
  readonly source: string
}

const groupPart = ({ leadType, source }: CountedGroup): string => `${leadType ?? '-'}#${source}`

/** The groups of a lead type, or only those of a source. The keys begin with the lead type, so a source alone is no part of them. */
export interface CountsPart {
  readonly leadType: number
  readonly source: string | undefined
}

/** Sources that begin with this one have the same prefix. */
const partPrefix = ({ leadType, source = '' }: CountsPart): string => `${leadType}#${source}`

const LEAD_COUNTS_PREFIX = 'LEADS#'
/** The beginning of the sort keys of the numbers of leads. */
export const leadCountsPrefix = (part: CountsPart | undefined): string => `${LEAD_COUNTS_PREFIX}${part ? partPrefix(part) : ''}`

/** Numbers of an owner's leads as they are now, by status. */
export const leadCountsKey = (owner: number, group: CountedGroup): Key => ({
  pk: statisticsPk(owner),
  sk: `${LEAD_COUNTS_PREFIX}${groupPart(group)}`,
})

/** The numbers of an owner's leads and calls of one day. @param day as YYYY-MM-DD */
export const dayCountsKey = (owner: number, day: string, group: CountedGroup): Key => ({
  pk: statisticsPk(owner),
  sk: `DAY#${day}#${groupPart(group)}`,
})

/** The beginning of the sort keys of some groups of a day. */
export const dayCountsPrefix = (day: string, part: CountsPart): string => `DAY#${day}#${partPrefix(part)}`

/** The first and the last sort key of the counts of a range of days. Both days are included. */
export const dayCountsRange = (from: string, to: string): readonly [first: string, last: string] => [`DAY#${from}#`, `DAY#${to}$`]

const COUNTS = /^(?:LEADS|DAY#(\d{4}-\d\d-\d\d))#(\d+|-)#(.*)$/s

/** `day`: null for numbers of leads. @throws Error when the sort key is not one of counts */
export const parseCountsSk = (sk: string): CountedGroup & { readonly day: string | null } => {
  const [, day = null, leadType, source] = COUNTS.exec(sk) ?? []
  if (leadType === undefined || source === undefined) throw new Error(`Not the key of counts: ${sk}`)
  return { day, leadType: leadType === '-' ? null : Number(leadType), source }
}

export const SOURCES_SK = 'SOURCES'
/** The lead sources of an owner that are counted by name. */
export const countedSourcesKey = (owner: number): Key => ({ pk: statisticsPk(owner), sk: SOURCES_SK })

/** Shows that a record of the table's stream was counted. */
export const countedRecordKey = (eventId: string): Key => ({ pk: `COUNTED#${eventId}`, sk: 'COUNTED' })
