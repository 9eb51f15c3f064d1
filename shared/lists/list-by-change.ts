import type { LeadType } from '../accounts/configuration.ts'
import { leadTypesOf } from '../accounts/lead-type-store.ts'
import { knownUser } from '../accounts/user-store.ts'
import type { ListAsked } from '../leads/api/list-request.ts'
import type { Lead } from '../leads/lead.ts'
import { getLeads } from '../leads/lead-store.ts'
import { fitsFilter } from '../leads/rules/lead-filter.ts'
import { byLastChange } from '../leads/rules/newest-first.ts'
import { isCallable } from '../leads/rules/status.ts'
import { CHANGE_SHARDS, changeListKey, parseChangedAt } from '../platform/keys.ts'
import type { Cursor, Neighbour } from '../platform/values/cursor.ts'
import { invalid } from '../platform/values/errors.ts'
import { LEAD_STATUSES } from '../platform/values/values.ts'
import { CHANGE_INDEX, type Change, changeSpan } from './change-index.ts'
import { pageOfLists } from './merged-lists.ts'

/** Lead types of a user whose leads are listed together, whatever their status. */
export const MOST_LISTED_TYPES = 10

/** Partitions of the index that one list reads: those of the most lead types, and of no lead type. */
const MOST_PARTITIONS = (MOST_LISTED_TYPES + 1) * LEAD_STATUSES.length * CHANGE_SHARDS

interface ChangePage {
  readonly count: number
  readonly next: Neighbour
  readonly previous: Neighbour
  readonly leads: readonly Lead[]
}

/** Lead types whose leads may be in the list. Null: none. */
const typesOf = async (owner: number): Promise<readonly (number | null)[]> => {
  const [own, { default_lead_type }] = await Promise.all([leadTypesOf(owner), knownUser(owner)])
  return [...new Set([null, default_lead_type, ...own.map(({ id }) => id)])]
}

const partitionsOf = async (owner: number, { statuses = LEAD_STATUSES, leadType }: ListAsked): Promise<string[]> => {
  const types = leadType === undefined ? await typesOf(owner) : [leadType]
  if (types.length * statuses.length * CHANGE_SHARDS > MOST_PARTITIONS) {
    throw invalid({ lead_type: ['You have too many lead types for one list. Name one in lead_type, or fewer statuses in status.'] })
  }
  const shards = Array.from({ length: CHANGE_SHARDS }, (_, shard) => shard)
  return types.flatMap((type) =>
    statuses.flatMap((status) => shards.map((shard) => changeListKey({ owner, leadType: type, status, shard }))),
  )
}

/** Whether a cursor of a list by change may name this place. */
export const isPlaceOfChange = (at: string): boolean => {
  try {
    parseChangedAt(at)
    return true
  } catch {
    return false
  }
}

/** The index may be older or newer than a read of a lead. What does not fit is read again, strongly consistent. */
const fittingLeads = async (changes: readonly Change[], owner: number, asked: ListAsked): Promise<Lead[]> => {
  const ids = [...new Set(changes.map(({ lead }) => lead))]
  const fits = (lead: Lead | undefined): lead is Lead => lead?.owner === owner && fitsFilter(lead, asked)
  const leads = await getLeads(ids, { consistent: false })
  const unfit = ids.filter((id) => !fits(leads.get(id)))
  const again = unfit.length > 0 ? await getLeads(unfit, { consistent: true }) : new Map<number, Lead>()
  return ids.map((id) => again.get(id) ?? leads.get(id)).filter(fits)
}

/** The list that a cursor is for. */
export const nameOfChangeList = (owner: number, { statuses, leadType, modified, ordering }: ListAsked): string =>
  JSON.stringify([owner, statuses?.toSorted(), leadType, modified.after, modified.before, ordering === 'modified_time'])

/**
 * A page of an owner's leads in the order of their last change. Its cost depends on the page, the lead types and the statuses, but not on
 * the number of leads. The index lags behind the table, as a rule by less than a second. A lead that no longer fits is left out.
 * @param cursor where the page begins. Undefined: the first page.
 */
export const pageByChange = async (owner: number, asked: ListAsked, size: number, cursor: Cursor | undefined): Promise<ChangePage> => {
  const span = changeSpan(asked.modified, asked.ordering === 'modified_time')
  const partitions = await partitionsOf(owner, asked)
  const { entries, ...page } = await pageOfLists({ index: CHANGE_INDEX, groups: () => [partitions], span, size }, cursor)
  return { ...page, leads: byLastChange(await fittingLeads(entries, owner, asked), asked.ordering ?? '-modified_time') }
}

const CALLABLE = {
  statuses: LEAD_STATUSES.filter(isCallable),
  created: { after: undefined, before: undefined },
  modified: { after: undefined, before: undefined },
}

interface CallableAsked {
  readonly ordering?: ListAsked['ordering']
  readonly cursor?: Cursor | undefined
}

/** As `pageByChange`, for the leads of a lead type whose status allows calls. */
export const pageOfCallable = ({ id, owner }: LeadType, size: number, { ordering, cursor }: CallableAsked = {}): Promise<ChangePage> =>
  pageByChange(owner, { ...CALLABLE, leadType: id, ordering, cursor: undefined }, size, cursor)
