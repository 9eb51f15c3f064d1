import type { User } from '../accounts/configuration.ts'
import { getUser } from '../accounts/user-store.ts'
import { freeLines, getLines } from '../calling/line-store.ts'
import { now } from '../platform/clock.ts'
import type { DialMessage } from '../platform/queues/messages.ts'
import type { Reading } from '../platform/table/table.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Lines } from '../stops/compliance.ts'
import { dialMessage, fillMessage, sendCallMessages } from './dispatch.ts'
import type { IndexedEntry } from './due.ts'
import { type DueLeads, readDueLeads } from './due-leads.ts'
import { isCounted, MOST_SENT_PER_SECOND, MOST_UNDER_WAY, mostAfterWait, nextFill, queuedFill, surplusAfter } from './rules/fill-turn.ts'
import { beginFill, countRefused, endBlockedTurn, endFill, forgetWaiting, noteWaiting, takeBlockedTurn, takeFill } from './waiting-store.ts'

/**
 * Leads stay in their owner's list until they are dialled. A run sends as many as the owner has free lines: each minute, and when calls end
 * while others wait. So a due lead costs what its call costs, with two exceptions. If callable leads stand behind leads that are paused, whose
 * agent is down or whose lead type is inactive, each of the latter costs a dial that holds it. At the end of the calling hours, each lead that
 * waits costs one dial that is refused.
 */

/** An owner whose leads may be called. */
export interface CallableOwner {
  readonly user: User
  readonly lines: Lines
}

/** @returns undefined when the owner is paused, or no longer exists */
export const callableOwner = async (owner: number, lines: Lines): Promise<CallableOwner | undefined> => {
  const user = await getUser(owner)
  return user && !lines.paused ? { user, lines } : undefined
}

interface FillLimits {
  /** Leads to send at most. */
  readonly most: number
  /** Leads to send beyond the free lines, because many of them will be refused. */
  readonly surplus: number
  /** How many leads are read when the first ones are blocked. */
  readonly lookPast: number
  /** Leads that became due between these instants were sent before. Their messages are being handled. */
  readonly sent: { readonly from: Instant; readonly until: Instant }
  /** Leads that earlier fills sent and that are not dialled yet. They come first in the list, and this fill skips them. */
  readonly underWay: number
}

const NONE_SENT = { from: 0, until: 0 }
const ONE_LINE = { most: 1, surplus: 0, lookPast: 100, sent: NONE_SENT }
export const ALL_LINES: FillLimits = { most: MOST_SENT_PER_SECOND, surplus: 0, lookPast: 500, sent: NONE_SENT, underWay: 0 }

/** The leads that a fill has read. */
interface Filled extends DueLeads {
  /** Leads that were sent earlier, as `FillLimits` says. */
  readonly sentBefore: number
  readonly sentNow: number
  /** Lines that were free. */
  readonly free: number
}

/** Sends an owner's overdue leads, one for each free line, within the limits. @returns undefined when no line is free */
export const sendToFreeLines = async (
  { user, lines }: CallableOwner,
  { most, surplus, lookPast, sent, underWay }: FillLimits,
): Promise<Filled | undefined> => {
  const free = await freeLines(user, lines)
  if (free.length === 0) return undefined
  const at = now()
  const wanted = underWay + Math.min(most, free.length + surplus)
  const due = await readDueLeads({ id: user.id, paused_upto: lines.paused_upto }, wanted, lookPast, at)
  const ready = due.ready.filter(({ instant }) => instant < sent.from || instant >= sent.until)
  // Noted before they are sent: the end of a call fills its line only while leads are noted as waiting.
  if (due.isMore || ready.length > wanted) await noteWaiting(user.id, lines, at)
  // Fewer leads than `underWay`: some are dialled already. Send the last lead, so that the line is not lost.
  const first = Math.max(0, Math.min(underWay, ready.length - 1))
  const messages = ready.slice(first, wanted).map((entry, index) => dialMessage(entry, at, { group: free[first + index] }))
  await sendCallMessages(messages)
  if (due.shown === 0) await forgetWaiting(user.id, lines, at)
  const isMoreCallable = due.isMoreCallable || ready.length > wanted
  return { ...due, isMoreCallable, sentBefore: due.ready.length - ready.length, sentNow: messages.length, free: free.length }
}

/** Each lost race means that another worker fills lines. */
const MAX_TRIES = 10

interface FreeLine {
  /** Leads that are known to be under way. */
  readonly leastUnderWay?: number
  /** Whether the owner's lines come from an old read. */
  readonly isOld?: boolean
  /** Whether the line is free because a lead was refused. */
  readonly isRefused?: boolean
}

/** Queues a fill whose turn is taken. Gives the turn back on a failure: otherwise, ends of calls would rely on this fill for seconds. */
const queueFill = async (owner: number, fillTime: Instant): Promise<void> => {
  try {
    await sendCallMessages([fillMessage(owner, fillTime)])
  } catch (error) {
    await endFill(owner, fillTime)
    throw error
  }
}

/** Fills free lines, if leads wait for one: sends a lead for one line, or queues a message that fills all of them a second later. */
const fillOneOrQueue = async (
  owner: number,
  found: Lines,
  { leastUnderWay = 0, isOld = false, isRefused = false }: FreeLine = {},
): Promise<void> => {
  let lines = found
  for (let tries = 1; tries <= MAX_TRIES && lines.waiting_time !== null; tries++) {
    const next = nextFill(lines, now(), leastUnderWay)
    if (next.kind === 'queued') {
      // The queued fill finds this line, unless it has begun since an old read. With several groups of lines, another line becomes free soon.
      const isSure = !isOld || tries > 1 || lines.groups > 1 || !next.mayHaveBegun
      if (isSure) {
        if (isRefused && isCounted(lines)) await countRefused(owner)
        return
      }
    } else {
      const current = await takeFill(owner, lines, { next: next.fillTime, isRefused: isRefused && next.kind === 'queue' })
      if (current && next.kind === 'queue') return queueFill(owner, next.fillTime)
      if (current && next.kind === 'send') return fillOne(owner, current, next.underWay)
    }
    lines = await getLines(owner)
  }
}

const fillOne = async (owner: number, lines: Lines, underWay: number): Promise<void> => {
  const found = await callableOwner(owner, lines)
  const filled = found && (await sendToFreeLines(found, { ...ONE_LINE, underWay }))
  if (filled?.sentNow === 0) await fillAgain(owner, filled)
}

/** An owner's lines after a note that leads wait. */
const linesAfterNote = async (owner: number, reading?: Reading): Promise<Lines> => {
  const lines = await getLines(owner, reading)
  const noted = await noteWaiting(owner, lines, now())
  // A call that ended before the note found no lead that waits.
  return noted === lines.waiting_time ? lines : getLines(owner)
}

/** Sends blocked leads: their dials take them off the list. The dial of the last one fills lines with the leads behind them. */
const sendBlocked = async (owner: number, blocked: readonly IndexedEntry[]): Promise<void> => {
  const at = now()
  if (!(await takeBlockedTurn(owner, at))) return
  const sent = blocked.slice(0, MOST_SENT_PER_SECOND)
  const messages = sent.map((entry) => {
    const isLast = entry === sent.at(-1)
    return dialMessage(entry, at, { isLast, blockedTurn: isLast ? at : undefined })
  })
  try {
    await sendCallMessages(messages)
  } catch (error) {
    await endBlockedTurn(owner, at)
    throw error
  }
}

/** Fills again when lines stay free and the list has more leads that may be called. If blocked leads come first, it sends these. */
export const fillAgain = async (owner: number, { blocked, isMoreCallable, sentNow, free }: Filled): Promise<void> => {
  if (!isMoreCallable || sentNow >= free) return
  if (blocked.length > 0) return sendBlocked(owner, blocked)
  await fillOneOrQueue(owner, await linesAfterNote(owner), { leastUnderWay: MOST_UNDER_WAY })
}

/** Fills a line that a call's end made free, if leads wait for one. */
export const fillAfterCall = (owner: number, lines: Lines): Promise<void> => fillOneOrQueue(owner, lines)

/**
 * Fills the line of a message whose lead is not called. The sweep sends few of the leads that become due together, so the others may not be
 * noted as waiting yet.
 * @param isRefused whether the lead was refused for a reason that a fill does not see
 */
export const passLineOn = async (owner: number, isRefused = true): Promise<void> =>
  fillOneOrQueue(owner, await linesAfterNote(owner, { mayBeOld: true }), { isOld: true, isRefused })

/**
 * Fills the lines that are free after the dial of the last lead of a window, or of the last one of a turn to send blocked leads. Calls that
 * ended before the note left their lines free.
 */
export const fillAfterLast = async (owner: number, { blocked_turn }: Pick<DialMessage, 'blocked_turn'>): Promise<void> => {
  if (blocked_turn !== undefined) await endBlockedTurn(owner, blocked_turn)
  const lines = await linesAfterNote(owner)
  const found = await callableOwner(owner, lines)
  const { length: free } = found ? await freeLines(found.user, lines) : []
  if (free > 0) await fillOneOrQueue(owner, lines, { leastUnderWay: free === 1 ? 0 : MOST_UNDER_WAY })
}

/** Fills all free lines of an owner. */
export const fillAll = async (owner: number, lines?: Lines, limits = ALL_LINES): Promise<void> => {
  const found = await callableOwner(owner, lines ?? (await getLines(owner)))
  const filled = found && (await sendToFreeLines(found, limits))
  if (filled) await fillAgain(owner, filled)
}

/**
 * Fills all free lines of an owner, for a fill message. Once this fill has begun, a call's end may queue the next one. A message that
 * is delivered again does nothing while another fill is under way or queued.
 */
export const fillQueued = async (owner: number, fillTime: Instant): Promise<void> => {
  const fill = queuedFill(fillTime, now())
  const lines = await beginFill(owner, fill)
  if (lines) await fillAll(owner, lines, { ...ALL_LINES, most: mostAfterWait(fill), surplus: surplusAfter(lines) })
}
