import * as v from 'valibot'
import type { Lead } from '../leads/lead.ts'
import { getLeads } from '../leads/lead-store.ts'
import { parsePointerSk, pointerSk } from '../platform/keys.ts'
import { query } from '../platform/table/table.ts'
import type { Cursor, Neighbour } from '../platform/values/cursor.ts'
import { type ListIndex, MOST_COUNTED, pageOfLists, type Span } from './merged-lists.ts'

/** A lead that a pointer names. */
interface Named {
  readonly lead: number
  /** Sort key. */
  readonly at: string
}

/** Larger than each id of a lead. */
const BEYOND = 9_999_999_999

/** All leads with a value: the newest ids first. It leaves out the guard of upserts. */
const SPAN: Span = { from: pointerSk(0), to: pointerSk(BEYOND), isAscending: false }

const Pointer = v.object({ sk: v.string() })

/** The pointers of a value. A list is their partition key. */
const POINTERS: ListIndex<Named> = {
  behind: (span, at) => {
    const lead = parsePointerSk(at)
    return span.isAscending ? { ...span, from: pointerSk(lead + 1) } : { ...span, to: pointerSk(lead - 1) }
  },
  read: async (list, { from, to, isAscending }, most, start) => {
    const { items, next } = await query(Pointer, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': list, ':from': from, ':to': to },
      ConsistentRead: true,
      ScanIndexForward: isAscending,
      Limit: most,
      ...(start && { ExclusiveStartKey: start }),
    })
    return { found: items.map(({ sk }) => ({ lead: parsePointerSk(sk), at: sk })), next }
  },
}

/** Leads with one value. */
export interface LeadsOfValue {
  /** Partition key of the pointers. */
  readonly value: string
  /** The first read of the pointers. */
  readonly head: Awaited<ReturnType<typeof POINTERS.read>>
}

/** Reads one lead more than are counted, so that the caller can see that there are more. */
export const leadsOfValue = async (value: string): Promise<LeadsOfValue> => ({
  value,
  head: await POINTERS.read(value, SPAN, MOST_COUNTED + 1, undefined),
})

/** Whether a cursor of a list by value may name this place. */
export const isPlaceOfValue = (at: string): boolean => {
  try {
    return pointerSk(parsePointerSk(at)) === at
  } catch {
    return false
  }
}

interface ValuePage {
  readonly count: number
  readonly next: Neighbour
  readonly previous: Neighbour
  readonly leads: readonly Lead[]
}

/**
 * A page of the leads with a value, the newest first. Its cost depends on the page, but not on the number of leads. Strongly consistent.
 * @param place where the page begins, or its number among the counted leads
 */
export const pageByValue = async (
  { value, head }: Pick<LeadsOfValue, 'value'> & Partial<LeadsOfValue>,
  size: number,
  place: Cursor | number | 'last',
): Promise<ValuePage> => {
  const read: typeof POINTERS.read = async (list, span, most, start) =>
    head && span === SPAN && start === undefined ? head : POINTERS.read(list, span, most, start)
  const { entries, ...page } = await pageOfLists({ index: { ...POINTERS, read }, groups: () => [[value]], span: SPAN, size }, place)
  const leads = await getLeads(
    entries.map(({ lead }) => lead),
    { consistent: true },
  )
  return { ...page, leads: entries.flatMap(({ lead }) => leads.get(lead) ?? []) }
}
