import type { User } from '../accounts/configuration.ts'
import { getLeadType } from '../accounts/lead-type-store.ts'
import { getUser } from '../accounts/user-store.ts'
import { getAgent } from '../agents/agent-store.ts'
import { getBreaker } from '../agents/breaker-store.ts'
import { forgetWaiting, freeLines, getLines, noteWaiting, takeFill } from '../calling/line-store.ts'
import { getReadableLeads } from '../leads/lead-store.ts'
import { now } from '../platform/clock.ts'
import { dueKeys } from '../platform/keys.ts'
import { allInLanes } from '../platform/lanes.ts'
import { measure } from '../platform/metrics.ts'
import { MINUTE, SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Lines } from '../stops/compliance.ts'
import { dialMessage, fillMessage, sendCallMessages } from './dispatch.ts'
import { dueBetween, type IndexedEntry } from './due.ts'
import { quarantineLead } from './quarantine.ts'

/**
 * Leads stay in their owner's list until they are dialled. A run sends as many as the owner has free lines: each minute, and when calls end
 * while others wait. So a million due leads cost what their calls cost.
 */

/** An owner's due leads, the earliest first: `from` included, `until` not; at most `limit`. */
const dueOf = async (owner: number, from: Instant, until: Instant, limit: number): Promise<IndexedEntry[]> => {
  const lists = await Promise.all(dueKeys(owner).map((key) => dueBetween(key, from, until, limit)))
  return lists
    .flat()
    .toSorted((one, other) => one.instant - other.instant)
    .slice(0, limit)
}

/** Whether no lead of a lead type can be called now: the type is inactive, or its agent missing or paused. */
const isHeldUp = async (owner: number, id: number | null, at: Instant): Promise<boolean> => {
  const leadType = id === null ? undefined : await getLeadType(owner, id)
  if (!leadType) return false
  if (!leadType.active || !(await getAgent(leadType.agent))) return true
  return (await getBreaker(leadType.agent)).open_until > at
}

/** Leads that are really due: those that may be called, as far as known, and those that are held up. */
interface Sorted {
  readonly ready: readonly IndexedEntry[]
  readonly heldUp: readonly IndexedEntry[]
}

const sortOut = async (owner: number, entries: readonly IndexedEntry[], at: Instant): Promise<Sorted> => {
  const { leads, unreadable } = await getReadableLeads(entries.map(({ lead }) => lead))
  for (const id of unreadable) await quarantineLead(id, 'It cannot be read.')
  const due = entries.filter(({ lead, attempt, instant }) => {
    const found = leads.get(lead)
    return found?.due_list === 'CALL' && found.attempts + 1 === attempt && found.next_call_time === instant
  })
  const typeOf = ({ lead }: IndexedEntry) => leads.get(lead)?.lead_type ?? null
  const types = [...new Set(due.map(typeOf))]
  const areHeldUp = await Promise.all(types.map((type) => isHeldUp(owner, type, at)))
  const heldUpTypes = new Set(types.filter((_, index) => areHeldUp[index]))
  return {
    ready: due.filter((entry) => !heldUpTypes.has(typeOf(entry))),
    heldUp: due.filter((entry) => heldUpTypes.has(typeOf(entry))),
  }
}

interface Look extends Sorted {
  /** How many leads the index shows, up to the limit of the read. */
  readonly shown: number
  readonly isMore: boolean
}

/** The index still shows leads that were called a moment ago. Reading more leaves no free line without a lead. */
const LAGGING = 10

/** Reads the leads that have been due for longest. When too few of them can be called, it reads up to `most` instead. */
const look = async (owner: number, wanted: number, most: number, at: Instant): Promise<Look> => {
  const read = async (limit: number): Promise<Look> => {
    const entries = await dueOf(owner, 0, at + 1, limit)
    return { ...(await sortOut(owner, entries, at)), shown: entries.length, isMore: entries.length === limit }
  }
  const few = wanted + LAGGING + Math.ceil(wanted / 4)
  const first = await read(few)
  return first.ready.length < wanted && first.heldUp.length > 0 && first.isMore && few < most ? read(most) : first
}

/** An owner that may be called for. */
interface Active {
  readonly user: User
  readonly lines: Lines
}

/** @returns undefined when the owner is paused, or no longer exists */
const active = async (owner: number): Promise<Active | undefined> => {
  const [user, lines] = await Promise.all([getUser(owner), getLines(owner)])
  return user && !lines.paused ? { user, lines } : undefined
}

/** Calls of one owner that start in one second, and so the most that one run sends. */
const STARTS = 500

interface Reach {
  /** Leads to send at most. */
  readonly most: number
  /** How many leads are read when the first ones are held up. */
  readonly lookPast: number
}

interface Filled extends Look {
  readonly sent: number
  /** Whether more leads are ready than were sent. */
  readonly isLeft: boolean
}

/** Sends the overdue leads of an owner, as many as it has free lines. @returns undefined when no line is free */
const fillLines = async ({ user, lines }: Active, { most, lookPast }: Reach): Promise<Filled | undefined> => {
  const free = (await freeLines(user, lines)).slice(0, most)
  if (free.length === 0) return undefined
  const at = now()
  const looked = await look(user.id, free.length, lookPast, at)
  const messages = looked.ready.slice(0, free.length).map((entry, index) => dialMessage(entry, at, free[index]))
  await sendCallMessages(messages)
  if (looked.shown === 0) await forgetWaiting(user.id, lines, at)
  return { ...looked, sent: messages.length, isLeft: looked.isMore || looked.ready.length > free.length }
}

/**
 * An owner's lines are filled at once five times a second at most, and then a second later for all calls that end meanwhile. Otherwise the
 * calls of thousands of lines would send the same leads: a lead counts as due until its dial is committed.
 */
const FILL_SHARE = SECOND / 5
/** `fill_time` is further ahead than a second while a fill is queued. A little less than the delay of its message, for clocks that differ. */
const QUEUED = 1.9 * SECOND
/** While the report of a call's end is handled, few leads are sent. A message fills all further lines. */
const AT_ONCE: Reach = { most: 5, lookPast: 100 }
const ALL: Reach = { most: STARTS, lookPast: 500 }
/** Each lost race means that another worker fills lines. */
const MAX_TRIES = 10

/** How far `fill_time` is ahead. A local service may have set its clock back: a time that no fill can have written does not count. */
const aheadOf = ({ fill_time }: Lines, at: Instant): number => {
  const ahead = (fill_time ?? 0) - at
  return ahead < 0 || ahead > QUEUED ? 0 : ahead
}

const fillAtOnce = async (owner: number, lines: Lines): Promise<void> => {
  const user = await getUser(owner)
  const filled = user && !lines.paused && (await fillLines({ user, lines }, AT_ONCE))
  if (filled && filled.sent === AT_ONCE.most) await sendCallMessages([fillMessage(owner, 0)])
}

/**
 * Fills the lines that became free, if leads wait for one: at once, or with those that become free within a second. Called at each call's
 * end, and when a lead turns out not to be callable.
 */
export const fillSoon = async (owner: number, found: Lines): Promise<void> => {
  let lines = found
  for (let tries = 1; tries <= MAX_TRIES && lines.waiting_time !== null; tries++) {
    const at = now()
    const ahead = aheadOf(lines, at)
    // The queued fill comes later, and sees the line that is free now.
    if (ahead > SECOND) return
    const isLater = ahead + FILL_SHARE > SECOND
    if (await takeFill(owner, lines, at + (isLater ? QUEUED : ahead + FILL_SHARE)))
      return isLater ? sendCallMessages([fillMessage(owner, 1)]) : fillAtOnce(owner, lines)
    lines = await getLines(owner)
  }
}

/** Fills all free lines of an owner. */
export const fillAll = async (owner: number): Promise<void> => {
  const found = await active(owner)
  if (found) await fillLines(found, ALL)
}

/** How far the sweep looks ahead. At least two sweeps send each due lead, so that one may be late or fail. */
const AHEAD = 130 * SECOND
/** For each such time, the sweep sends one lead more than the owner has lines. That lead finds no line, so the owner is noted as waiting. */
const WINDOW = 10 * SECOND
/** A lead that has been due for longer, although a line is free, is late. */
const OVERDUE = MINUTE

/** Sends the leads of an owner that will be due soon, each for its second. */
const sendComing = async ({ id: owner, lines }: User, at: Instant): Promise<void> => {
  const limit = lines + 1
  for (let from = at + 1; from < at + AHEAD; ) {
    const coming = await dueOf(owner, from, at + AHEAD, limit)
    await sendCallMessages(
      coming.map((entry, place) => {
        const message = dialMessage(entry, at)
        return { ...message, delaySeconds: (message.delaySeconds ?? 0) + Math.floor(place / STARTS) }
      }),
    )
    const last = coming.at(-1)
    if (!last || coming.length < limit) return
    from = Math.max(last.instant + 1, at + Math.ceil((last.instant - at) / WINDOW) * WINDOW)
  }
}

/**
 * The sweep's look at one owner. When none of the overdue leads that it reads can be called now, it sends dial messages for them anyway: the
 * dial moves them to the list of held leads, where they block nobody.
 */
const lookAtOwner = async (owner: number): Promise<void> => {
  const at = now()
  // Most owners have nothing to do in most minutes.
  if ((await dueOf(owner, 0, at + AHEAD, 1)).length === 0) return
  const found = await active(owner)
  if (!found) return
  await sendComing(found.user, at)
  const filled = await fillLines(found, ALL)
  measure('leads_overdue', filled?.ready.filter(({ instant }) => instant < at - OVERDUE).length ?? 0)
  if (!filled || filled.isLeft) await noteWaiting(owner, found.lines, at)
  if (filled?.isMore && filled.ready.length === 0) await sendCallMessages(filled.heldUp.map((entry) => dialMessage(entry, at)))
}

/** Owners that are looked at in parallel. */
const LANES = 5

/** The sweep's look at some owners. One that fails does not keep the others from their calls. */
export const lookAtOwners = (owners: readonly number[]): Promise<void> => {
  measure('leads_overdue', 0)
  return allInLanes(LANES, owners, lookAtOwner)
}
