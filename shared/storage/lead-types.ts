import { LeadType } from '../schema/configuration.ts'
import { cached } from './cached.ts'
import { leadTypeKey } from './keys.ts'
import { getItem, putItem } from './table.ts'

const CACHE_SECONDS = 10

const load = cached(CACHE_SECONDS, (key: `${number}#${number}`): Promise<LeadType | undefined> => {
  const [owner = 0, leadType = 0] = key.split('#').map(Number)
  return getItem(LeadType, leadTypeKey(owner, leadType))
})

/** Undefined when there is none, or when it is another user's. */
export const getLeadType = (owner: number, leadType: number): Promise<LeadType | undefined> => load(`${owner}#${leadType}`)

export const saveLeadType = (leadType: LeadType): Promise<void> => putItem({ ...leadTypeKey(leadType.owner, leadType.id), ...leadType })
