import { getUser } from '../accounts/user-store.ts'
import { freeLines, getLines } from '../calling/line-store.ts'
import { callsHolding } from '../calling/rules/calls-holding.ts'
import type { Lead } from '../leads/lead.ts'
import { now } from '../platform/clock.ts'
import { setting } from '../platform/environment.ts'
import { CALLBACK_TIMER_PREFIX, callId, parseCallbackTimerSk } from '../platform/keys.ts'
import { loggable, logger } from '../platform/logger.ts'
import type { AgentMessage, CallMessage } from '../platform/queues/messages.ts'
import { type Outgoing, send } from '../platform/queues/queues.ts'
import { SECOND, secondsUntil } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { DueEntry, IndexedEntry } from './due.ts'
import { MOST_SENT_PER_SECOND } from './rules/fill-turn.ts'
import { accountOf, ownerOfDue, ownerOfPart } from './rules/holders.ts'
import { noteWaiting } from './waiting-store.ts'

/** A call that is due within this time is sent at once. The sweep, which looks 130 s ahead, may have passed already. */
const AT_ONCE = 150 * SECOND

const outgoing = (body: CallMessage, owner: number, delaySeconds: number): Outgoing => ({ body, group: `${owner}`, delaySeconds })

interface DialOptions {
  /** The group of the owner's lines that has a free one. */
  readonly group?: number | undefined
  /** Whether leads behind this one may be due and are not sent. */
  readonly isLast?: boolean
  /** The turn to send blocked leads that the dial ends. */
  readonly blockedTurn?: Instant | undefined
}

export const dialMessage = (
  { lead, attempt, owner, instant }: DueEntry,
  at: Instant,
  { group, isLast = false, blockedTurn }: DialOptions = {},
): Outgoing => {
  const message = {
    lead_id: lead,
    attempt,
    due_at: instant,
    owner,
    ...(group && { line_group: group }),
    ...(isLast && { fill_lines_of: owner }),
    ...(blockedTurn !== undefined && { blocked_turn: blockedTurn }),
  }
  return outgoing({ type: 'dial', ...message }, owner, secondsUntil(instant, at))
}

/** The message for a lead that becomes due soon, with its place among the `most` leads that are sent. */
const comingMessage = (entry: DueEntry, place: number, most: number, at: Instant): Outgoing => {
  const message = dialMessage(entry, at, { isLast: place === most - 1 })
  return { ...message, delaySeconds: (message.delaySeconds ?? 0) + Math.floor(place / MOST_SENT_PER_SECOND) }
}

/**
 * The messages for the first `most` leads of an owner that become due soon. The dial of the lead in the last place makes the service note that
 * leads wait, even if it finds a free line.
 */
export const comingMessages = (entries: readonly DueEntry[], most: number, at: Instant): Outgoing[] =>
  entries.slice(0, most).map((entry, place) => comingMessage(entry, place, most, at))

const watched = ({ lead, attempt, sk }: IndexedEntry): CallMessage =>
  sk.startsWith(CALLBACK_TIMER_PREFIX)
    ? { type: 'timer', lead_id: lead, promised_time: parseCallbackTimerSk(sk) }
    : { type: 'watch', call_id: callId(lead, attempt) }

/** The message to look at a call in progress, or at a timer. */
export const watchMessage = (entry: IndexedEntry): Outgoing => outgoing(watched(entry), entry.owner, 0)

interface CallToCancel {
  readonly owner: number
  readonly callId: string
}

const cancelMessage = ({ owner, callId: call_id }: CallToCancel, delaySeconds: number): Outgoing =>
  outgoing({ type: 'cancel', call_id }, owner, delaySeconds)

/** The messages of holders that belong to no single owner form a group of their own. */
export const agentMessage = (body: AgentMessage, delaySeconds: number): Outgoing => ({
  body,
  group: ownerOfPart(body.agent) ?? `${accountOf(body.agent) ?? ownerOfDue(body.agent) ?? 'agents'}`,
  delaySeconds,
})

/** The message to fill an owner's free lines in a second. It does so while the lines have this `fill_time`. */
export const fillMessage = (owner: number, fillTime: Instant): Outgoing => outgoing({ type: 'fill', owner, fill_time: fillTime }, owner, 1)

/** The message to look at the due leads of some owners. */
export const lookMessage = (owners: readonly number[]): Outgoing => ({
  body: { type: 'look', owners: [...owners] },
  group: `look-${owners[0]}`,
  delaySeconds: 0,
})

export const sendCallMessages = (messages: readonly Outgoing[]): Promise<void> => send(setting('CALL_QUEUE_URL'), messages)

const entryIfSoon = ({ id, attempts, owner, due_list, next_call_time }: Lead, at: Instant): DueEntry[] =>
  due_list !== 'CALL' || next_call_time === null || next_call_time > at + AT_ONCE
    ? []
    : [{ lead: id, attempt: attempts + 1, owner, instant: next_call_time }]

/**
 * How many of an owner's leads that are due now find a free line. If some do not, it notes that leads wait: then each call's end sends the one
 * that has been due for longest. Leads that are written later need another look at the lines.
 */
const countFitting = async (owner: number, due: number, at: Instant): Promise<number> => {
  const user = await getUser(owner)
  if (!user) return due
  const lines = await getLines(owner)
  // The end of the pause sends them.
  if (lines.paused) return 0
  const free = (await freeLines(user, lines)).length
  if (free >= due) return due
  await noteWaiting(owner, lines, at)
  // A call that ended before the note found no lead that waits.
  return Math.max(free, (await freeLines(user, await getLines(owner))).length)
}

/**
 * How many leads of one request that become due at the same instant are sent. The dial of the last one notes that leads wait, and fills the
 * free lines. By then, all of these leads are due.
 */
const MOST_TOGETHER = 2

const soonMessages = async (owner: number, entries: readonly DueEntry[], at: Instant): Promise<Outgoing[]> => {
  const { due = [], coming = [] } = Object.groupBy(entries, ({ instant }) => (instant <= at ? 'due' : 'coming'))
  const fitting = due.slice(0, due.length > 0 ? await countFitting(owner, due.length, at) : 0)
  const together = [...Map.groupBy(coming, ({ instant }) => instant).values()]
  return [...fitting.map((entry) => dialMessage(entry, at)), ...together.flatMap((some) => comingMessages(some, MOST_TOGETHER, at))]
}

/**
 * Sends the calls of these leads that are due now or soon. The sweep sends the later ones. For each owner, it sends at most one due lead for
 * each free line: the dials of the others would only be refused.
 */
export const dispatchEachSoon = async (leads: readonly Lead[], at: Instant): Promise<void> => {
  const soon = leads.flatMap((lead) => entryIfSoon(lead, at))
  const messages: Outgoing[] = []
  for (const [owner, ofOwner] of Map.groupBy(soon, (entry) => entry.owner)) messages.push(...(await soonMessages(owner, ofOwner, at)))
  if (messages.length > 0) await sendCallMessages(messages)
}

/** Sends the call of a lead if it is due now or soon. */
export const dispatchSoon = async (lead: Lead, at: Instant): Promise<void> =>
  sendCallMessages(entryIfSoon(lead, at).map((entry) => dialMessage(entry, at)))

const orLeave = async (lead: Lead, dispatch: () => Promise<void>): Promise<boolean> => {
  try {
    await dispatch()
    return true
  } catch (error) {
    logger.warn('A call could not be sent. The sweep will send it.', { lead: lead.id, error: loggable(error) })
    return false
  }
}

/**
 * As `dispatchSoon`, for a lead that is already written. When a call cannot be sent, it is left to the sweep.
 * @returns false when a call that is due now or soon could not be sent
 */
export const sendOrLeave = (lead: Lead): Promise<boolean> => orLeave(lead, () => dispatchSoon(lead, now()))

export type SendCall = typeof sendOrLeave

interface RequestSender {
  /** As `sendOrLeave`. A lead that waits for a line counts as sent. */
  readonly send: SendCall
  /** Call this once all leads are written. */
  readonly finish: () => Promise<void>
}

/** In place of the instant of leads that are due already. */
const DUE_NOW = 0

/**
 * Sends the calls of all leads that one request of an owner writes, each after its lead is written. As `dispatchEachSoon`, it sends at most one
 * due lead for each free line, and few of those that become due at the same instant.
 * @param count how many leads the request has
 */
export const requestSender = (count: number): RequestSender => {
  const sent = new Map<Instant, number>()
  let fitting: Promise<number> | undefined
  let waiting: Lead | undefined
  /** All leads share one look at the lines. That look may come before all leads are written. So `finish` looks again. */
  const mostDue = (owner: number, at: Instant): Promise<number> => {
    fitting ??= countFitting(owner, count, at).catch((error) => {
      fitting = undefined
      throw error
    })
    return fitting
  }
  const dispatch = async (lead: Lead): Promise<void> => {
    const at = now()
    const [entry] = entryIfSoon(lead, at)
    if (!entry) return
    const isDue = entry.instant <= at
    const instant = isDue ? DUE_NOW : entry.instant
    const most = isDue ? await mostDue(entry.owner, at) : MOST_TOGETHER
    const place = sent.get(instant) ?? 0
    if (place >= most) {
      if (isDue) waiting = lead
      return
    }
    sent.set(instant, place + 1)
    try {
      await sendCallMessages([isDue ? dialMessage(entry, at) : comingMessage(entry, place, most, at)])
    } catch (error) {
      // Another lead is sent instead.
      sent.set(instant, (sent.get(instant) ?? 1) - 1)
      throw error
    }
  }
  /** Calls may have ended while no lead of the request waited yet. If a line is free, the dial of this lead fills all free lines. */
  const sendLast = async (lead: Lead): Promise<void> => {
    const at = now()
    if ((await countFitting(lead.owner, 1, at)) === 0) return
    await sendCallMessages(entryIfSoon(lead, at).map((entry) => dialMessage(entry, at, { isLast: true })))
  }
  return {
    send: (lead) => orLeave(lead, () => dispatch(lead)),
    finish: async () => {
      const last = waiting
      if (last) await orLeave(last, () => sendLast(last))
    },
  }
}

/**
 * Sends the message that cancels a call whose phone may be ringing. The stop must be written before.
 * @throws when the message cannot be sent
 */
export const sendCancel = (call: CallToCancel, delaySeconds = 0): Promise<void> => sendCallMessages([cancelMessage(call, delaySeconds)])

/** As `sendCancel`, but never throws: the worker that places the call checks the stops as well. */
export const requestCancel = async (call: CallToCancel): Promise<void> => {
  try {
    await sendCancel(call)
  } catch (error) {
    logger.warn('A cancel request could not be sent.', { call: call.callId, error: loggable(error) })
  }
}

/** Requests a cancel of every call in progress to a phone. */
export const requestCancels = async (owner: number, phone: Parameters<typeof callsHolding>[0]): Promise<void> => {
  for (const callId of callsHolding(phone)) await requestCancel({ owner, callId })
}
