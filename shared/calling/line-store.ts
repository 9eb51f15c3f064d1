import * as v from 'valibot'
import type { User } from '../accounts/configuration.ts'
import { lineGroupKey, linePartitions, linesKey, parseLineGroup } from '../platform/keys.ts'
import { inLanes } from '../platform/lanes.ts'
import { getItem, ifConditionHolds, onCondition, partitionItems, type Reading, updateItem } from '../platform/table/table.ts'
import { transact, type Write } from '../platform/table/transactions.ts'
import { LineGroup, Lines } from '../stops/compliance.ts'
import type { Call } from './call.ts'
import { FIRST_CALLS, groupsFor, linesIn, type SeenLines } from './rules/dial/line-groups.ts'

/** An owner's pauses, and the first group of lines. */
export const getLines = async (owner: number, reading?: Reading): Promise<Lines> =>
  v.parse(Lines, (await getItem(Lines, linesKey(owner), reading)) ?? {})

const getGroup = async (owner: number, group: number, reading?: Reading): Promise<LineGroup> =>
  v.parse(LineGroup, (await getItem(LineGroup, lineGroupKey(owner, group), reading)) ?? {})

const GroupItem = v.object({ sk: v.string(), ...LineGroup.entries })

/** The calls on all of an owner's lines, by group. */
const callsByGroup = async (owner: number, { groups, calls }: Lines): Promise<ReadonlyMap<number, ReadonlySet<string>>> => {
  const further = await Promise.all(linePartitions(owner, groups).map((pk) => partitionItems(GroupItem, pk)))
  return new Map([[0, calls], ...further.flat().map((item) => [parseLineGroup(item), item.calls] as const)])
}

/** The ids of an owner's calls in progress. */
export const callsOnLines = async (owner: number, lines: Lines): Promise<string[]> =>
  [...(await callsByGroup(owner, lines)).values()].flatMap((calls) => [...calls])

/** The group in which a call holds a line; undefined when it holds none. */
export const groupHolding = async (owner: number, call: string): Promise<number | undefined> =>
  [...(await callsByGroup(owner, await getLines(owner)))].find(([, calls]) => calls.has(call))?.[0]

type Limited = Pick<User, 'id' | 'lines'>

interface AllLines {
  readonly calls: ReadonlyMap<number, ReadonlySet<string>>
  readonly inUse: number
  /** The group of each free line. Empty when at least `owner.lines` calls are in progress. */
  readonly free: readonly number[]
}

const readAllLines = async (owner: Limited, lines: Lines): Promise<AllLines> => {
  const calls = await callsByGroup(owner.id, lines)
  const inUse = [...calls.values()].reduce((sum, { size }) => sum + size, 0)
  const free = Array.from({ length: groupsFor(owner.lines) }, (_, group) => {
    const used = calls.get(group)?.size ?? 0
    // The first group comes first up to `FIRST_CALLS`. Then one line of each group follows another, so that calls spread over the groups.
    const first = group === 0 ? Math.min(0, used - FIRST_CALLS) : 0
    return Array.from({ length: Math.max(0, linesIn(group, owner.lines) - used) }, (_, index) => ({ group, place: first + index }))
  })
  const inOrder = free.flat().toSorted((one, other) => one.place - other.place)
  return { calls, inUse, free: inOrder.slice(0, Math.max(0, owner.lines - inUse)).map(({ group }) => group) }
}

export const freeLines = async (owner: Limited, lines: Lines): Promise<readonly number[]> => (await readAllLines(owner, lines)).free

const anyOf = (count: number): number => Math.floor(Math.random() * count)

const seenOf = (owner: Limited, lines: Lines, { calls, inUse, free }: AllLines): SeenLines => {
  const isOver = [...calls].some(([group, { size }]) => size > linesIn(group, owner.lines))
  const mayChoose = !isOver && lines.calls.size >= FIRST_CALLS
  const group = free[mayChoose ? anyOf(free.length) : 0] ?? 0
  const used = calls.get(group)?.size ?? 0
  return { group, most: Math.min(linesIn(group, owner.lines), used + owner.lines - inUse), inUse, limit: owner.lines }
}

/**
 * All of an owner's lines, and one group with a free line. If a group has more calls than lines, the other groups together have more free lines
 * than the owner's limit allows. Then every dial takes the first group with a free line: see `takeLine`.
 */
export const seeAllLines = async (owner: Limited, lines: Lines): Promise<SeenLines> =>
  seenOf(owner, lines, await readAllLines(owner, lines))

/**
 * Drops groups beyond an owner's lowered limit, the last ones first, once they have no calls. Otherwise each dial would read all groups for
 * ever. One transaction checks that they are empty, and raises their fences and the owner's. So a dial or an inbound call that read before
 * has too low a fence to take a line of them. A dial that reads afterwards adds the groups again first: see `addGroups`.
 */
const dropGroups = async ({ id: owner, lines: limit }: Limited, { groups, fence }: Lines, { calls }: AllLines): Promise<void> => {
  // The first group takes one of the 100 writes of a transaction.
  const kept = Math.max(groupsFor(limit), groups - 99)
  if (kept >= groups || [...calls].some(([group, { size }]) => group >= kept && size > 0)) return
  const beyond = Array.from({ length: groups - kept }, (_, index) => lineGroupKey(owner, kept + index))
  const raised = { ':up': fence + 1 }
  await transact([
    {
      update: linesKey(owner),
      expression: 'SET groups = :kept, fence = :up',
      condition: 'groups = :groups AND (attribute_not_exists(fence) OR fence = :fence)',
      values: { ...raised, ':kept': kept, ':groups': groups, ':fence': fence },
    },
    ...beyond.map((update): Write => ({ update, expression: 'SET fence = :up', condition: 'attribute_not_exists(calls)', values: raised })),
  ])
}

/**
 * Looks for a free line: in one group of many, and in all groups when that one is full. It also looks at all when a group has more calls
 * than lines: a last one after the owner's limit was lowered, or the first when inbound calls found no free line. All calls count.
 * Only for dials, whose transaction checks the group again: these reads may be old.
 * @param wanted the group that had a free line a moment ago
 */
export const seeLines = async (owner: Limited, lines: Lines, wanted?: number): Promise<SeenLines> => {
  const groups = groupsFor(owner.lines)
  if (groups === 1 || lines.groups > groups) {
    const all = await readAllLines(owner, lines)
    await dropGroups(owner, lines, all)
    return seenOf(owner, lines, all)
  }
  const last = groups - 1
  const group = wanted ?? (lines.calls.size < FIRST_CALLS ? 0 : anyOf(groups))
  const read = async (one: number): Promise<LineGroup> => (one === 0 ? lines : getGroup(owner.id, one, { mayBeOld: true }))
  const chosen = read(group)
  const [{ calls }, { calls: inLast }] = await Promise.all([chosen, last === group ? chosen : read(last)])
  const isOver = lines.calls.size > linesIn(0, owner.lines) || inLast.size > linesIn(last, owner.lines)
  const limit = linesIn(group, owner.lines)
  return !isOver && calls.size < limit ? { group, most: limit, inUse: calls.size, limit } : seeAllLines(owner, lines)
}

/**
 * Notes that an owner has more groups, before a line of a new one is taken: a pause must reach all groups.
 * @returns false when a pause came in between
 */
export const addGroups = async ({ id, lines: limit }: Limited, { groups, fence }: Lines, group: number): Promise<boolean> =>
  group < groups ||
  ifConditionHolds(
    updateItem(linesKey(id), {
      UpdateExpression: 'SET groups = :groups',
      ConditionExpression: '(attribute_not_exists(groups) OR groups < :groups) AND (attribute_not_exists(fence) OR fence = :fence)',
      ExpressionAttributeValues: { ':groups': groupsFor(limit), ':fence': fence },
    }),
  )

type ChosenLine = Pick<SeenLines, 'group' | 'most'> & { readonly fence: number }

/**
 * A write of the dial transaction: takes a line of one group, if one is free and no pause began since the pauses were read.
 *
 * It is enough to check one group, even while another group has more calls than lines. A dial uses a later group only if it read all earlier
 * groups as full. So dials with older reads cannot add calls that it did not count. One exception: while a group has more calls than lines, a
 * dial with a read from before an inbound call may add one more call.
 * @param most the calls that the group may have: see `SeenLines`
 * @param fence read together with the pauses. A pause raises the stored one, so a dial that read before it fails.
 */
export const takeLine = (owner: number, call: string, { group, most, fence }: ChosenLine): Write => ({
  update: lineGroupKey(owner, group),
  expression: 'ADD calls :call',
  condition: '(attribute_not_exists(calls) OR size(calls) < :most) AND (attribute_not_exists(fence) OR fence <= :fence)',
  values: { ':call': new Set([call]), ':most': most, ':fence': fence },
})

/** Takes calls beyond the limit. Dials look for such calls in the first and in the last group, but not in those between. */
export const FIRST_GROUP: ChosenLine = { group: 0, most: 0, fence: 0 }

/** The group for an inbound call: one with a free line, or else the first. */
export const groupForInbound = async (owner: Limited): Promise<ChosenLine> => {
  const lines = await getLines(owner.id)
  const { group } = await seeAllLines(owner, lines)
  return group < lines.groups ? { group, most: linesIn(group, owner.lines), fence: lines.fence } : FIRST_GROUP
}

/** A write of a transaction: takes a line for an inbound caller, who does not wait. In the first group it never fails. */
export const addLine = (owner: number, call: string, chosen: ChosenLine): Write =>
  chosen.group > 0
    ? takeLine(owner, call, chosen)
    : { update: linesKey(owner), expression: 'ADD calls :call', values: { ':call': new Set([call]) } }

/**
 * The owner's pauses, if one may have begun since the call took its line. Reads the fence of the call's group first: if every call read the
 * owner's pauses, their item would become a hot key.
 */
export const pausesSince = async ({
  owner,
  line_group,
  line_fence,
}: Pick<Call, 'owner' | 'line_group' | 'line_fence'>): Promise<Lines | undefined> => {
  if (line_fence === null) return getLines(owner)
  // A pause raises the fences of all groups before it is acknowledged.
  return (await getGroup(owner, line_group ?? 0)).fence > line_fence ? getLines(owner) : undefined
}

type LineHolder = Pick<Call, 'owner' | 'call_id' | 'line_group'>

/** Whether a call still holds its line. */
export const holdsLine = async ({ owner, call_id, line_group }: LineHolder): Promise<boolean> =>
  (await getGroup(owner, line_group ?? 0)).calls.has(call_id)

/**
 * Frees the line of a call that is over. Safe to repeat. If the answer of the table is lost, the SDK's repeat finds no line any more: then the
 * line is filled by the next queued fill, or the sweep.
 * @returns the owner's pauses and first group of lines afterwards; undefined when the call held no line any more
 */
export const releaseLine = async ({ owner, call_id, line_group }: LineHolder): Promise<Lines | undefined> => {
  const group = line_group ?? 0
  const before = await updateItem(lineGroupKey(owner, group), {
    UpdateExpression: 'DELETE calls :call',
    ExpressionAttributeValues: { ':call': new Set([call_id]) },
    ReturnValues: 'ALL_OLD',
  })
  const lines = v.parse(Lines, before ?? {})
  if (!lines.calls.delete(call_id)) return undefined
  // If this old read misses that leads wait, the next queued fill or the sweep fills the line.
  return group === 0 ? lines : getLines(owner, { mayBeOld: true })
}

const FENCE_LANES = 25

/** Refuses dials that read the pauses before, in every group. */
const raiseFences = async (owner: number, { groups, fence }: Lines): Promise<void> => {
  const further = Array.from({ length: groups - 1 }, (_, index) => index + 1)
  await inLanes(FENCE_LANES, further, (group) =>
    ifConditionHolds(
      updateItem(lineGroupKey(owner, group), {
        UpdateExpression: 'SET fence = :fence',
        ConditionExpression: 'attribute_not_exists(fence) OR fence < :fence',
        ExpressionAttributeValues: { ':fence': fence },
      }),
    ),
  )
}

const RAISED = 'fence = if_not_exists(fence, :none) + :one'
const BY_ONE = { ':none': 0, ':one': 1 }

/** Pauses all of an owner's leads. From here on no dial intent to them can be committed. */
export const pauseLines = async (owner: number): Promise<void> => {
  const lines = await updateItem(linesKey(owner), {
    UpdateExpression: `SET paused = :yes, ${RAISED}`,
    ExpressionAttributeValues: { ':yes': true, ...BY_ONE },
    ReturnValues: 'ALL_NEW',
  })
  await raiseFences(owner, v.parse(Lines, lines))
}

/** As `pauseLines`, for the leads up to a position in the owner's list. It never lowers the position of an earlier pause. */
export const pauseLinesUpTo = async (owner: number, position: number): Promise<void> => {
  const paused = await onCondition(
    updateItem(linesKey(owner), {
      UpdateExpression: `SET paused_upto = :position, ${RAISED}`,
      ConditionExpression: 'attribute_not_exists(paused_upto) OR paused_upto < :position',
      ExpressionAttributeValues: { ':position': position, ...BY_ONE },
      ReturnValues: 'ALL_NEW',
    }),
  )
  // An earlier pause may have been cut short before it raised all fences.
  await raiseFences(owner, paused.isMet ? v.parse(Lines, paused.result) : await getLines(owner))
}

/** A write of a transaction that ends both kinds of pause. */
export const unpauseLines = (owner: number): Write => ({ update: linesKey(owner), expression: 'REMOVE paused, paused_upto' })
