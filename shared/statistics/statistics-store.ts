import * as v from 'valibot'
import { dayCountsRange, LEAD_COUNTS_PREFIX, parseCountsSk, SOURCES_SK, statisticsPk } from '../platform/keys.ts'
import { queryAll } from '../platform/table/table.ts'
import { CountedSources } from './counted-sources.ts'
import type { Period } from './rules/period.ts'
import type { GroupNumbers } from './rules/totals.ts'

/** An item with numbers, and its keys. */
const StoredCounts = v.objectWithRest({ pk: v.string(), sk: v.string() }, v.number())

const groupCounts = ({ pk, sk, ...counts }: v.InferOutput<typeof StoredCounts>): GroupNumbers => ({ ...parseCountsSk(sk), counts })

/** An owner's leads as they are now, and the days of a period. The counts follow changes within a few seconds. */
export const countsOf = async (owner: number, { from, to }: Period): Promise<GroupNumbers[]> => {
  const pk = statisticsPk(owner)
  const [first, last] = dayCountsRange(from, to)
  const [leads, days] = await Promise.all([
    queryAll(StoredCounts, {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': LEAD_COUNTS_PREFIX },
    }),
    queryAll(StoredCounts, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
    }),
  ])
  return [...leads, ...days].map(groupCounts)
}

/** Reads any item of the statistics. @throws ValiError or Error when it is malformed */
export const readCounts = (item: unknown): void => {
  if (v.is(v.looseObject({ sk: v.literal(SOURCES_SK) }), item)) v.parse(CountedSources, item)
  else groupCounts(v.parse(StoredCounts, item))
}
