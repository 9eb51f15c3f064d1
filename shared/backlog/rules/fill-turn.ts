import { SECOND } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Lines } from '../../stops/compliance.ts'

/**
 * The turns to fill an owner's free lines. The `fill_time` of the lines tells how many leads were sent a moment ago, and whether a fill message
 * is queued.
 */

/** Leads of one owner that are sent for one second, when more of them become due together. */
export const MOST_SENT_PER_SECOND = 500

/**
 * Milliseconds. A lead that was sent counts as under way for this long: mostly its dial is committed by then. Each lead that is sent adds
 * this time to `fill_time`. So (fill_time - now) / UNDER_WAY_TIME leads are under way.
 */
const UNDER_WAY_TIME = 400
/** With this many leads under way, a call's end queues a fill message, for all calls that end within a second. Otherwise it sends a lead. */
export const MOST_UNDER_WAY = 5
const ALL_UNDER_WAY_TIME = MOST_UNDER_WAY * UNDER_WAY_TIME
/** The clocks of two functions differ by less. */
export const CLOCKS = SECOND
/** A `fill_time` that is further ahead means that a fill message is queued. */
const QUEUED_FROM = ALL_UNDER_WAY_TIME + CLOCKS
/** The queue delays a fill message by this time. */
const FILL_DELAY = SECOND
/** When a fill message is sent, `fill_time` is set this far ahead. After nine seconds the message counts as lost: a call's end queues another. */
const QUEUED_TIME = ALL_UNDER_WAY_TIME + 10 * SECOND
/** A queued fill may send more than `MOST_SENT_PER_SECOND`. At exactly that rate, it would never catch up with lines that were idle. */
const CATCH_UP = 1.2
/** A queued fill that waited for longer sends no more leads than one that waited for this long. */
const LONGEST_WAIT = 3 * SECOND

/** Refused leads that are counted for a queued fill. More would make the item of the lines a hot key. */
const MOST_REFUSED = 50
/** Additional leads that a queued fill sends for each refused lead. */
const SURPLUS = 2

/** Most leads that a queued fill sends beyond the free lines. */
export const MOST_SURPLUS = SURPLUS * MOST_REFUSED

/** Whether one more refused lead makes the queued fill send more. */
export const isCounted = ({ refused }: Pick<Lines, 'refused'>): boolean => refused < MOST_REFUSED

/**
 * Leads that a queued fill sends beyond the free lines. Many leads may be refused before one that can be called, such as those of a time zone
 * whose hours are over. With one lead for each free line, this would take hours. The surplus doubles from fill to fill while all are refused.
 */
export const surplusAfter = ({ refused }: Pick<Lines, 'refused'>): number => Math.min(SURPLUS * refused, MOST_SURPLUS)

/** The next step for a free line. A call's end takes it. */
export type NextFill =
  /** Nothing: a fill message is queued. Its fill may have begun since the lines were read, if they come from an old read. */
  | { readonly kind: 'queued'; readonly mayHaveBegun: boolean }
  /** It queues a fill message. */
  | { readonly kind: 'queue'; readonly fillTime: Instant }
  /** It sends a lead, behind those that are under way. */
  | { readonly kind: 'send'; readonly fillTime: Instant; readonly underWay: number }

/** How far `fill_time` is ahead. A local service may have set its clock back: a time that no fill can have written does not count. */
const aheadOf = ({ fill_time }: Pick<Lines, 'fill_time'>, at: Instant): number => {
  const ahead = (fill_time ?? 0) - at
  return ahead < 0 || ahead > QUEUED_TIME + CLOCKS ? 0 : ahead
}

/** @param leastUnderWay leads that are known to be under way, even if `fill_time` counts fewer */
export const nextFill = (lines: Pick<Lines, 'fill_time'>, at: Instant, leastUnderWay: number): NextFill => {
  const ahead = aheadOf(lines, at)
  if (ahead > QUEUED_FROM) return { kind: 'queued', mayHaveBegun: ahead <= QUEUED_TIME - FILL_DELAY }
  const underWay = Math.max(leastUnderWay, Math.ceil(ahead / UNDER_WAY_TIME))
  if (underWay >= MOST_UNDER_WAY) return { kind: 'queue', fillTime: at + QUEUED_TIME }
  return { kind: 'send', fillTime: at + ahead + UNDER_WAY_TIME, underWay }
}

/** How the fill of a message begins. */
export interface QueuedFill {
  /** The `fill_time` that was set when the message was sent. */
  readonly queued: Instant
  readonly at: Instant
  /** The `fill_time` to set. */
  readonly next: Instant
  /** For a late message: the fill begins also when `fill_time` is later than this, which means that another message is queued. */
  readonly later: Instant | undefined
}

/** A late message fills even if another one is queued: that one will be just as late. */
export const queuedFill = (queued: Instant, at: Instant): QueuedFill => {
  const isLate = at >= queued - QUEUED_FROM
  return { queued, at, next: at + ALL_UNDER_WAY_TIME, later: isLate ? at + QUEUED_FROM : undefined }
}

/** How many leads a fill message may send: the more, the longer it waited. */
export const mostAfterWait = ({ queued, at }: QueuedFill): number => {
  const waited = Math.min(Math.max(at - (queued - QUEUED_TIME), SECOND), LONGEST_WAIT)
  return Math.ceil((CATCH_UP * MOST_SENT_PER_SECOND * waited) / SECOND)
}
