import type { User } from '../accounts/configuration.ts'
import { getUser } from '../accounts/user-store.ts'
import { freeLines, getLines } from '../calling/line-store.ts'
import { now } from '../platform/clock.ts'
import type { Reading } from '../platform/table/table.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Lines } from '../stops/compliance.ts'
import { dialMessage, fillMessage, sendCallMessages } from './dispatch.ts'
import { type Look, look } from './due-leads.ts'
import { beginFill, forgetWaiting, noteWaiting, takeFill } from './waiting-store.ts'

/**
 * Leads stay in their owner's list until they are dialled. A run sends as many as the owner has free lines: each minute, and when calls end
 * while others wait. So a million due leads cost what their calls cost.
 */

/** An owner that may be called for. */
export interface Active {
  readonly user: User
  readonly lines: Lines
}

/** @returns undefined when the owner is paused, or no longer exists */
export const active = async (owner: number, lines: Lines): Promise<Active | undefined> => {
  const user = await getUser(owner)
  return user && !lines.paused ? { user, lines } : undefined
}

/** Leads of one owner that are sent for one second, when more of them become due together. */
export const STARTS = 500

interface Reach {
  /** Leads to send at most. */
  readonly most: number
  /** How many leads are read when the first ones are held up. */
  readonly lookPast: number
  /** Leads that became due between these instants were sent before. Their messages are being handled. */
  readonly sent: { readonly from: Instant; readonly until: Instant }
  /** Leads that earlier fills sent and that are not dialled yet. They come first in the list, and this fill skips them. */
  readonly underWay: number
}

/** Sends messages for an owner's overdue leads, one for each free line. @returns undefined when no line is free */
export const fillLines = async ({ user, lines }: Active, { most, lookPast, sent, underWay }: Reach): Promise<Look | undefined> => {
  const free = await freeLines(user, lines)
  if (free.length === 0) return undefined
  const at = now()
  const wanted = underWay + Math.min(most, free.length)
  const looked = await look(user.id, wanted, lookPast, at)
  const ready = looked.ready.filter(({ instant }) => instant < sent.from || instant >= sent.until)
  // Noted before they are sent: a lead that is refused passes its line on only while others are noted as waiting.
  if (looked.isMore || ready.length > wanted) await noteWaiting(user.id, lines, at)
  // With fewer leads in the list than are under way, some of these were dialled already.
  const first = Math.max(0, Math.min(underWay, ready.length - 1))
  const messages = ready.slice(first, wanted).map((entry, index) => dialMessage(entry, at, free[first + index]))
  await sendCallMessages(messages)
  if (looked.shown === 0) await forgetWaiting(user.id, lines, at)
  return looked
}

/**
 * Milliseconds. A lead counts as due until its dial is committed, mostly within this time. Each fill moves `fill_time` this far ahead. So its
 * distance from now, divided by this time, is the number of leads that were sent and are not dialled yet.
 */
const UNDER_WAY = 400
/** With so many under way, further lines are filled a second later, by one message for all calls that end meanwhile. */
const MOST_UNDER_WAY = 5
const ALL_UNDER_WAY = MOST_UNDER_WAY * UNDER_WAY
/** While `fill_time` is further ahead, such a message is queued. Clocks of functions differ by less than a second. */
const MOST_AHEAD = ALL_UNDER_WAY + SECOND
/** When such a message is sent, `fill_time` is this far ahead. If it is not handled within nine seconds, a call's end sends the next one. */
const QUEUED = ALL_UNDER_WAY + 10 * SECOND
const NONE_SENT = { from: 0, until: 0 }
/** A fill at a call's end sends one lead, which `fill_time` counts. */
const AT_ONCE = { most: 1, lookPast: 100, sent: NONE_SENT }
export const ALL_LINES: Reach = { most: STARTS, lookPast: 500, sent: NONE_SENT, underWay: 0 }
/** A queued fill may send more leads than `STARTS` a second. Otherwise lines that were idle for a while would stay idle. */
const CATCH_UP = 1.2
/** A queued fill that waited for longer sends no more leads than one that waited for this long. */
const LONGEST_WAIT = 3 * SECOND
/** Each lost race means that another worker fills lines. */
const MAX_TRIES = 10

/** How far `fill_time` is ahead. A local service may have set its clock back: a time that no fill can have written does not count. */
const aheadOf = ({ fill_time }: Lines, at: Instant): number => {
  const ahead = (fill_time ?? 0) - at
  return ahead < 0 || ahead > QUEUED ? 0 : ahead
}

const fillAtOnce = async (owner: number, lines: Lines, underWay: number): Promise<void> => {
  const found = await active(owner, lines)
  if (found) await fillLines(found, { ...AT_ONCE, underWay })
}

/** Fills free lines, if leads wait for one: one line at once, or all a second later while enough leads are under way. */
const fillFree = async (owner: number, found: Lines, leastUnderWay: number): Promise<void> => {
  let lines = found
  for (let tries = 1; tries <= MAX_TRIES && lines.waiting_time !== null; tries++) {
    const at = now()
    const ahead = aheadOf(lines, at)
    // The queued fill comes later, and sees the line that is free now.
    if (ahead > MOST_AHEAD) return
    const underWay = Math.min(MOST_UNDER_WAY, Math.max(leastUnderWay, Math.ceil(ahead / UNDER_WAY)))
    const isLater = underWay === MOST_UNDER_WAY
    const next = at + (isLater ? QUEUED : ahead + UNDER_WAY)
    const current = await takeFill(owner, lines, next)
    if (current) return isLater ? sendCallMessages([fillMessage(owner, next)]) : fillAtOnce(owner, current, underWay)
    lines = await getLines(owner)
  }
}

/** Fills a line that became free, if leads wait for one: at once, or with the lines that become free within a second. */
export const fillSoon = (owner: number, lines: Lines): Promise<void> => fillFree(owner, lines, 0)

/** An owner's lines after a note that leads wait. */
const linesAfterNote = async (owner: number, reading?: Reading): Promise<Lines> => {
  const lines = await getLines(owner, reading)
  const noted = await noteWaiting(owner, lines, now())
  // A call that ended before the note found no lead that waits.
  return noted === lines.waiting_time ? lines : getLines(owner)
}

/**
 * Sends another lead for the line of a message whose lead is not called. The sweep sends few of the leads that become due together, so the
 * others may not be noted as waiting yet. An old read may show a queued fill that has begun already. The line then stays free until the next
 * fill, or the sweep.
 */
export const passLineOn = async (owner: number): Promise<void> => fillFree(owner, await linesAfterNote(owner, { mayBeOld: true }), 0)

/** Fills the lines that are free after the dial of the last lead that the sweep has sent: calls that ended before may have left them. */
export const fillRest = async (owner: number): Promise<void> => {
  const lines = await linesAfterNote(owner)
  const found = await active(owner, lines)
  const { length: free } = found ? await freeLines(found.user, lines) : []
  if (free > 0) await fillFree(owner, lines, free === 1 ? 0 : MOST_UNDER_WAY)
}

/**
 * Holds the first leads in an owner's list when there are many, and none of them can be called now: their agent is down, or their lead type
 * inactive. Their dials hold them. Then the next fill finds the leads behind them.
 */
export const holdFirst = async (owner: number, lines: Lines, { isMore, ready, heldUp }: Look): Promise<void> => {
  if (!isMore || ready.length > 0) return
  const at = now()
  const next = at + QUEUED
  if (!(await takeFill(owner, lines, next))) return
  await sendCallMessages([...heldUp.map((entry) => dialMessage(entry, at)), fillMessage(owner, next)])
}

/** Fills all free lines of an owner. */
export const fillAll = async (owner: number, lines?: Lines, reach = ALL_LINES): Promise<void> => {
  const found = await active(owner, lines ?? (await getLines(owner)))
  const looked = found && (await fillLines(found, reach))
  if (looked) await holdFirst(owner, found.lines, looked)
}

/**
 * Fills all free lines of an owner, for a queued message. Once this fill begins, a call's end may queue the next one. The longer the message
 * waited, the more leads it sends. A repeated message does nothing while another fill is queued. A late message fills anyway, because the
 * queued one will be just as late. After a failure, calls that end fill lines again within seconds, and so does the message when it comes
 * back.
 */
export const fillQueued = async (owner: number, fillTime: Instant): Promise<void> => {
  const at = now()
  const isLate = at >= fillTime - MOST_AHEAD
  const next = at + ALL_UNDER_WAY
  const lines = await beginFill(owner, { queued: fillTime, at, next, later: isLate ? at + MOST_AHEAD : undefined })
  if (!lines) return
  const waited = Math.min(Math.max(at - (fillTime - QUEUED), SECOND), LONGEST_WAIT)
  await fillAll(owner, lines, { ...ALL_LINES, most: Math.ceil((CATCH_UP * STARTS * waited) / SECOND) })
}
