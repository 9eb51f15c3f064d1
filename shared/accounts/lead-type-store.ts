import * as v from 'valibot'
import { numberWrites } from '../agents/inbound-number-store.ts'
import { markChanged, markLeft } from '../backlog/held-store.ts'
import { leadTypeHolder } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import { LEAD_TYPE_PREFIX, leadTypeKey, userKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, putItem, queryAll } from '../platform/table/table.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { absentAsNull, type Instant } from '../platform/values/values.ts'
import { LeadType } from './configuration.ts'

const CACHE_SECONDS = 10
/** What is noted of a busy agent at that moment is in the way. */
const MAX_TRIES = 20

const load = cached(CACHE_SECONDS, (key: `${number}#${number}`): Promise<LeadType | undefined> => {
  const [owner = 0, leadType = 0] = key.split('#').map(Number)
  return getItem(LeadType, leadTypeKey(owner, leadType))
})

/** Undefined when there is none, or when it is another user's. */
export const getLeadType = (owner: number, leadType: number): Promise<LeadType | undefined> => load(`${owner}#${leadType}`)

/** All of an owner's, the newest first. Strongly consistent. */
export const leadTypesOf = async (owner: number): Promise<LeadType[]> => {
  const found = await queryAll(LeadType, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': userKey(owner).pk, ':prefix': LEAD_TYPE_PREFIX },
    ConsistentRead: true,
  })
  return found.sort((a, b) => b.id - a.id)
}

/** Of whatever shape the rest of it was. */
const Before = v.object({
  inbound_numbers: v.optional(v.array(v.string()), []),
  active: v.optional(v.boolean(), true),
  international: v.optional(v.boolean(), false),
  agent: v.optional(v.string()),
  consent_field: absentAsNull(v.string()),
})
type Before = v.InferOutput<typeof Before>

/** Whether leads may be called that the lead type held back; one that comes back may have held some when it was gone. */
const isOpened = (before: Before | undefined, after: LeadType): boolean =>
  !before ||
  (after.active && !before.active) ||
  (after.international && !before.international) ||
  after.consent_field !== before.consent_field

/** What finds the leads that the change of a lead type lets go, wherever they are held. */
const marksOf = (before: Before | undefined, after: LeadType, at: Instant): Write[] => {
  const oldAgent = before?.agent === after.agent ? undefined : before?.agent
  return [
    ...(isOpened(before, after) ? [markChanged(leadTypeHolder(after.id), at)] : []),
    ...(oldAgent === undefined ? [] : [markLeft(oldAgent, at)]),
  ]
}

/**
 * Keeps a lead type. Leads that it held back, and those held for an agent that it has no more, are planned again by the sweep.
 * @throws ValiError when it is none, Error when one of its numbers, or of those that it had, is another's
 */
export const saveLeadType = async (input: v.InferInput<typeof LeadType>): Promise<void> => {
  const leadType = v.parse(LeadType, input)
  const key = leadTypeKey(leadType.owner, leadType.id)
  const before = await getItem(Before, key)
  const beside = [...numberWrites(before?.inbound_numbers ?? [], leadType), ...marksOf(before, leadType, now())]
  if (beside.length === 0) return putItem({ ...key, ...leadType })
  await retryRaces({ tries: MAX_TRIES, lost: `The agent of lead type ${leadType.id} was being written` }, async () => {
    const saved = await transact([{ put: { ...key, ...leadType } }, ...beside])
    if (saved.committed) return true
    if (saved.refused.length === 0) return undefined
    throw new Error(`Not all of the inbound numbers of lead type ${leadType.id} are free, or were still its own.`)
  })
}
