import * as v from 'valibot'
import type { TimeRange } from '../leads/rules/lead-filter.ts'
import { changedAt, LAST_CHANGED_ID, parseChangedAt, parseLeadPk } from '../platform/keys.ts'
import { query } from '../platform/table/table.ts'
import type { ListIndex, Span } from './merged-lists.ts'

const Entry = v.object({ pk: v.string(), changed_at: v.string() })

/** A lead's entry in the change index. */
export interface Change {
  readonly lead: number
  /** Sort key. */
  readonly at: string
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

export const changeSpan = ({ after = EARLIEST, before = LATEST }: TimeRange, isAscending: boolean): Span => ({
  from: changedAt(after, 0),
  to: changedAt(before, LAST_CHANGED_ID),
  isAscending,
})

/** Leads by owner, lead type and status, in the order of their last change. */
export const CHANGE_INDEX: ListIndex<Change> = {
  behind: (span, at) => {
    const { modified, lead } = parseChangedAt(at)
    return span.isAscending ? { ...span, from: changedAt(modified, lead + 1) } : { ...span, to: changedAt(modified, lead - 1) }
  },
  read: async (list, { from, to, isAscending }, most, start) => {
    const { items, next } = await query(Entry, {
      IndexName: 'by_change',
      KeyConditionExpression: 'change_list = :list AND changed_at BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':list': list, ':from': from, ':to': to },
      ScanIndexForward: isAscending,
      Limit: most,
      ...(start && { ExclusiveStartKey: start }),
    })
    return { found: items.map(({ pk, changed_at }) => ({ lead: parseLeadPk(pk), at: changed_at })), next }
  },
}
