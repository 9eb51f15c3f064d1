import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { numberWrites } from '../agents/inbound-number-store.ts'
import { markChanged, markLeft, markRestarted } from '../backlog/marks.ts'
import { dueLeadsOf, leadTypeHolder, reassignedHolder, registryHolder } from '../backlog/rules/holders.ts'
import { now } from '../platform/clock.ts'
import { LEAD_TYPE_PREFIX, leadTypeKey, userKey } from '../platform/keys.ts'
import { cached } from '../platform/table/cached.ts'
import { retryRaces } from '../platform/table/retry-races.ts'
import { getItem, putItem, queryAll } from '../platform/table/table.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { absentAsNull, type Instant } from '../platform/values/values.ts'
import { LeadType } from './configuration.ts'

/** Writes about a busy agent race with this one. */
const MAX_TRIES = 20

const load = cached((key: `${number}#${number}`): Promise<LeadType | undefined> => {
  const [owner = 0, leadType = 0] = key.split('#').map(Number)
  return getItem(LeadType, leadTypeKey(owner, leadType))
})

/** Undefined when it does not exist or belongs to another user. */
export const getLeadType = (owner: number, leadType: number): Promise<LeadType | undefined> => load(`${owner}#${leadType}`)

const ofOwner = (owner: number) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': userKey(owner).pk, ':prefix': LEAD_TYPE_PREFIX },
  ConsistentRead: true,
})

/** All lead types of an owner, the newest first. Strongly consistent. */
export const leadTypesOf = async (owner: number): Promise<LeadType[]> =>
  (await queryAll(LeadType, ofOwner(owner))).sort((a, b) => b.id - a.id)

/** As `leadTypesOf`, without those that are malformed: the others are used all the same. */
export const readableLeadTypesOf = async (owner: number): Promise<LeadType[]> => {
  const read = (await queryAll(v.unknown(), ofOwner(owner))).map((item) => v.safeParse(LeadType, item))
  return read.flatMap(({ success, output }) => (success ? output : [])).sort((a, b) => b.id - a.id)
}

/** Reads only this field: a lead type that is otherwise malformed counts too. */
const Checks = v.object({ reassigned_numbers: v.nullish(v.unknown(), null) })

/** Whether a lead type of an owner asks for a check in the reassigned numbers database. Strongly consistent. */
export const checksNumbers = async (owner: number): Promise<boolean> =>
  (await queryAll(Checks, ofOwner(owner))).some(({ reassigned_numbers }) => reassigned_numbers !== null)

/** Checks only these fields, so that an item that is otherwise malformed can be replaced. */
const Before = v.looseObject({
  inbound_numbers: v.optional(v.array(v.string()), []),
  active: v.optional(v.boolean(), true),
  international: v.optional(v.boolean(), false),
  agent: v.optional(v.string()),
  consent_field: absentAsNull(v.string()),
  consent_type: absentAsNull(v.string()),
  consent_by_state: v.optional(v.record(v.string(), v.string()), {}),
  registries: v.optional(v.nullable(v.looseObject({ lists: v.array(v.string()) })), null),
  reassigned_numbers: absentAsNull(v.looseObject({})),
})
type Before = v.InferOutput<typeof Before>

/**
 * Whether the change releases leads that the lead type held back. A lead type that is created again, or was malformed, may have held some
 * earlier.
 */
const isOpened = (before: Before | undefined, after: LeadType): boolean =>
  !v.is(LeadType, before) ||
  (after.active && !before.active) ||
  (after.international && !before.international) ||
  after.consent_field !== before.consent_field ||
  after.consent_type !== before.consent_type ||
  !isDeepStrictEqual(after.consent_by_state, before.consent_by_state)

/**
 * Due leads stay in their owner's list while the lead type is inactive or has no working agent. A sweep a moment after the change passes them
 * over: functions cache the configuration.
 */
const listMarks = (before: Before | undefined, { owner, active, agent }: LeadType, at: Instant): Write[] =>
  before && active && (!before.active || before.agent !== agent) ? [markRestarted(dueLeadsOf(owner), at)] : []

/** Leads that a do-not-call registry holds back may be called after any change of what the lead type obeys. */
const registryMarks = (before: Before | undefined, { registries, consent_field }: LeadType, at: Instant): Write[] => {
  if (!before?.registries) return []
  if (isDeepStrictEqual(before.registries, registries) && before.consent_field === consent_field) return []
  return before.registries.lists.map((list) => markChanged(registryHolder(list), at))
}

/** As `registryMarks`, for leads that wait for an answer about their number. */
const answerMarks = (before: Before | undefined, { owner, reassigned_numbers }: LeadType, at: Instant): Write[] =>
  before?.reassigned_numbers && !isDeepStrictEqual(before.reassigned_numbers, reassigned_numbers)
    ? [markChanged(reassignedHolder(owner), at)]
    : []

/** Marks for the sweep, so that it finds the leads that the change releases. */
const marksOf = (before: Before | undefined, after: LeadType, at: Instant): Write[] => {
  const oldAgent = before?.agent === after.agent ? undefined : before?.agent
  return [
    ...(isOpened(before, after) ? [markChanged(leadTypeHolder(after.id), at)] : []),
    ...listMarks(before, after, at),
    ...registryMarks(before, after, at),
    ...answerMarks(before, after, at),
    ...(oldAgent === undefined ? [] : [markLeft(oldAgent, at)]),
  ]
}

/**
 * Saves a lead type. The sweep then plans again the leads that it held back, and those held for its former agent.
 * @throws ValiError when it is malformed; Error when one of its numbers, old or new, belongs to another lead type
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
    throw new Error(`An inbound number of lead type ${leadType.id} belongs to another lead type.`)
  })
}
