import { LeadType } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { LEAD_TYPE_PREFIX, leadTypeKey, userKey } from './keys.ts'
import { getItem, putItem, query } from './table.ts'

const CACHE_SECONDS = 10

const load = cached(CACHE_SECONDS, (key: `${number}#${number}`): Promise<LeadType | undefined> => {
  const [owner = 0, leadType = 0] = key.split('#').map(Number)
  return getItem(LeadType, leadTypeKey(owner, leadType))
})

/** Undefined when there is none, or when it is another user's. */
export const getLeadType = (owner: number, leadType: number): Promise<LeadType | undefined> => load(`${owner}#${leadType}`)

/** All of an owner's, the newest first. Strongly consistent. */
export const leadTypesOf = async (owner: number): Promise<LeadType[]> => {
  const found: LeadType[] = []
  let start: Record<string, unknown> | undefined
  do {
    const { items, next } = await query(LeadType, {
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': userKey(owner).pk, ':prefix': LEAD_TYPE_PREFIX },
      ConsistentRead: true,
      ...(start && { ExclusiveStartKey: start }),
    })
    found.push(...items)
    start = next
  } while (start)
  return found.sort((a, b) => b.id - a.id)
}

export const saveLeadType = (leadType: LeadType): Promise<void> => putItem({ ...leadTypeKey(leadType.owner, leadType.id), ...leadType })
