import * as v from 'valibot'
import {
  type CountsPart,
  dayCountsPrefix,
  dayCountsRange,
  leadCountsPrefix,
  parseCountsSk,
  SOURCES_SK,
  statisticsPk,
} from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { query, queryAll } from '../platform/table/table.ts'
import { CountedSources } from './counted-sources.ts'
import { dayCount, daysOf, type Period } from './rules/period.ts'
import type { GroupNumbers } from './rules/totals.ts'

/** An item with numbers, and its keys. */
const StoredCounts = v.objectWithRest({ pk: v.string(), sk: v.string() }, v.number())
type StoredCounts = v.InferOutput<typeof StoredCounts>

const groupCounts = ({ pk, sk, ...counts }: StoredCounts): GroupNumbers => ({ ...parseCountsSk(sk), counts })

const beginningWith = (pk: string, prefix: string): Promise<StoredCounts[]> =>
  queryAll(StoredCounts, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  })

const betweenDays = (pk: string, { from, to }: Period) => {
  const [first, last] = dayCountsRange(from, to)
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
  }
}

/** Items of a day that cost about as much as a query: 4 KB. */
const QUERY_WORTH = 6
const LANES = 8

/**
 * The counts of some groups, day by day, and perhaps of others too. One query of all days costs less if the owner has few groups. So it is
 * tried until it has cost as much as a query for each day.
 */
const daysOfPart = async (pk: string, period: Period, part: CountsPart): Promise<StoredCounts[]> => {
  const { items, next } = await query(StoredCounts, { ...betweenDays(pk, period), Limit: QUERY_WORTH * dayCount(period) })
  const last = items.at(-1)
  if (!next || !last) return items
  const day = parseCountsSk(last.sk).day ?? period.from
  const earlier = items.filter(({ sk }) => parseCountsSk(sk).day !== day)
  const rest = await inLanes(LANES, daysOf({ from: day, to: period.to }), (each) => beginningWith(pk, dayCountsPrefix(each, part)))
  return [...earlier, ...rest.flat()]
}

/**
 * An owner's leads as they are now, and the days of a period. The counts follow changes within a few seconds.
 * @param part what is wanted of them. Others may be there too
 */
export const countsOf = async (owner: number, period: Period, part?: CountsPart): Promise<GroupNumbers[]> => {
  const pk = statisticsPk(owner)
  const [leads, days] = await Promise.all([
    beginningWith(pk, leadCountsPrefix(part)),
    part ? daysOfPart(pk, period, part) : queryAll(StoredCounts, betweenDays(pk, period)),
  ])
  return [...leads, ...days].map(groupCounts)
}

/** Reads any item of the statistics. @throws ValiError or Error when it is malformed */
export const readCounts = (item: unknown): void => {
  if (v.is(v.looseObject({ sk: v.literal(SOURCES_SK) }), item)) v.parse(CountedSources, item)
  else groupCounts(v.parse(StoredCounts, item))
}
