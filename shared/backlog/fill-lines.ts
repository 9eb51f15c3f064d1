import type { User } from '../accounts/configuration.ts'
import { getUser } from '../accounts/user-store.ts'
import { freeLines, getLines } from '../calling/line-store.ts'
import { now } from '../platform/clock.ts'
import type { Reading } from '../platform/table/table.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Lines } from '../stops/compliance.ts'
import { dialMessage, fillMessage, sendCallMessages } from './dispatch.ts'
import { isAnyCallable, type Look, look } from './due-leads.ts'
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

/** The leads that a fill has looked at. */
interface Filled extends Look {
  /** Leads that were sent earlier, as `Reach` says. */
  readonly sentBefore: number
  readonly sentNow: number
  /** Lines that were free. */
  readonly free: number
}

/** Sends messages for an owner's overdue leads, one for each free line, at most `most`. @returns undefined when no line is free */
export const fillLines = async ({ user, lines }: Active, { most, lookPast, sent, underWay }: Reach): Promise<Filled | undefined> => {
  const free = await freeLines(user, lines)
  if (free.length === 0) return undefined
  const at = now()
  const wanted = underWay + Math.min(most, free.length)
  const looked = await look({ id: user.id, paused_upto: lines.paused_upto }, wanted, lookPast, at)
  const ready = looked.ready.filter(({ instant }) => instant < sent.from || instant >= sent.until)
  // Noted before they are sent: a lead that is refused passes its line on only while others are noted as waiting.
  if (looked.isMore || ready.length > wanted) await noteWaiting(user.id, lines, at)
  // If the list is shorter than `underWay`, some leads were dialled already. Send the last one.
  const first = Math.max(0, Math.min(underWay, ready.length - 1))
  const messages = ready.slice(first, wanted).map((entry, index) => dialMessage(entry, at, free[first + index]))
  await sendCallMessages(messages)
  if (looked.shown === 0) await forgetWaiting(user.id, lines, at)
  return { ...looked, sentBefore: looked.ready.length - ready.length, sentNow: messages.length, free: free.length }
}

/**
 * Milliseconds. A lead counts as due until its dial is committed, mostly within this time. Each lead that is sent at once adds it to
 * `fill_time`. So the distance of `fill_time` from now, divided by this time, tells how many leads were sent and are not dialled yet.
 */
const UNDER_WAY = 400
/** With so many under way, further lines are filled a second later, by one message for all calls that end meanwhile. */
const MOST_UNDER_WAY = 5
const ALL_UNDER_WAY = MOST_UNDER_WAY * UNDER_WAY
/** The clocks of two functions differ by less. */
export const CLOCKS = SECOND
/** While `fill_time` is further ahead, such a message is queued. */
const MOST_AHEAD = ALL_UNDER_WAY + CLOCKS
/** The queue delays such a message by this time. */
const DELAY = SECOND
/** When such a message is sent, `fill_time` is this far ahead. After nine seconds it counts as lost: the end of a call then sends another. */
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
  return ahead < 0 || ahead > QUEUED + CLOCKS ? 0 : ahead
}

/**
 * Queues the next fill when lines stay free although more leads are listed. The leads that this fill has read may be held up: their dials
 * hold them, so that the next fill finds the leads behind them. Without a lead type whose leads can be called, there is nothing to find.
 */
export const fillFurther = async (owner: number, { heldUp, isMore, sentNow, free }: Filled): Promise<void> => {
  if (!isMore || sentNow >= free) return
  const at = now()
  if (!(await isAnyCallable(owner, at))) return
  await sendCallMessages(heldUp.slice(0, STARTS).map((entry) => dialMessage(entry, at)))
  await fillFree(owner, await linesAfterNote(owner), MOST_UNDER_WAY)
}

const fillAtOnce = async (owner: number, lines: Lines, underWay: number): Promise<void> => {
  const found = await active(owner, lines)
  const filled = found && (await fillLines(found, { ...AT_ONCE, underWay }))
  if (filled?.sentNow === 0) await fillFurther(owner, filled)
}

/**
 * Fills free lines, if leads wait for one: one line at once, or all a second later while enough leads are under way.
 * @param isOld whether the lines come from an old read
 */
const fillFree = async (owner: number, found: Lines, leastUnderWay: number, isOld = false): Promise<void> => {
  let lines = found
  for (let tries = 1; tries <= MAX_TRIES && lines.waiting_time !== null; tries++) {
    const at = now()
    const ahead = aheadOf(lines, at)
    if (ahead > MOST_AHEAD) {
      // The queued fill comes later, and sees the line that is free now. With few lines, no other call may end soon: then make sure.
      if (!isOld || tries > 1 || lines.groups > 1 || ahead > QUEUED - DELAY) return
      lines = await getLines(owner)
      continue
    }
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
 * others may not be noted as waiting yet.
 */
export const passLineOn = async (owner: number): Promise<void> => fillFree(owner, await linesAfterNote(owner, { mayBeOld: true }), 0, true)

/** Fills the lines that are free after the dial of the last lead of a window. Calls that ended before the note left their lines free. */
export const fillRest = async (owner: number): Promise<void> => {
  const lines = await linesAfterNote(owner)
  const found = await active(owner, lines)
  const { length: free } = found ? await freeLines(found.user, lines) : []
  if (free > 0) await fillFree(owner, lines, free === 1 ? 0 : MOST_UNDER_WAY)
}

/** Fills all free lines of an owner. */
export const fillAll = async (owner: number, lines?: Lines, reach = ALL_LINES): Promise<void> => {
  const found = await active(owner, lines ?? (await getLines(owner)))
  const filled = found && (await fillLines(found, reach))
  if (filled) await fillFurther(owner, filled)
}

/**
 * Fills all free lines of an owner, for a queued message. Once this fill begins, a call's end may queue the next one. The longer the message
 * waited, the more leads it sends. A repeated message does nothing while another fill is under way or queued. A late message fills anyway, because the
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
