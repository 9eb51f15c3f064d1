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
import { ownerOfPart } from './rules/holders.ts'
import { noteWaiting } from './waiting-store.ts'

/** A call that is due within this time is sent at once. The sweep, which looks 130 s ahead, may have passed already. */
const AT_ONCE = 150 * SECOND

const outgoing = (body: CallMessage, owner: number, delaySeconds: number): Outgoing => ({ body, group: `${owner}`, delaySeconds })

interface DialOptions {
  /** The group of the owner's lines that has a free one. */
  readonly group?: number | undefined
  /** Whether leads behind this one may be due and are not sent. */
  readonly isLast?: boolean
}

export const dialMessage = (
  { lead, attempt, owner, instant }: DueEntry,
  at: Instant,
  { group, isLast = false }: DialOptions = {},
): Outgoing => {
  const message = {
    lead_id: lead,
    attempt,
    due_at: instant,
    ...(group && { line_group: group }),
    ...(isLast && { fill_lines_of: owner }),
  }
  return outgoing({ type: 'dial', ...message }, owner, secondsUntil(instant, at))
}

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

/** Most holders belong to no single owner: their messages form a group of their own. */
export const agentMessage = (body: AgentMessage, delaySeconds: number): Outgoing => ({
  body,
  group: ownerOfPart(body.agent) ?? 'agents',
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

const messageIfSoon = (lead: Lead, at: Instant): Outgoing[] => {
  if (lead.due_list !== 'CALL' || lead.next_call_time === null || lead.next_call_time > at + AT_ONCE) return []
  return [dialMessage({ lead: lead.id, attempt: lead.attempts + 1, owner: lead.owner, instant: lead.next_call_time }, at)]
}

/**
 * How many of an owner's leads that are due now find a free line. If some do not, it notes that leads wait: then each call's end sends the one
 * that has been due for longest. The leads must be written before.
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

const isDue = (lead: Lead, at: Instant): boolean => lead.due_list === 'CALL' && lead.next_call_time !== null && lead.next_call_time <= at

/**
 * Sends the calls of these leads that are due now or soon. The sweep sends the later ones. For each owner, it sends at most one due lead for
 * each free line: the dials of the others would only be refused.
 */
export const dispatchEachSoon = async (leads: readonly Lead[], at: Instant): Promise<void> => {
  const fitting: Lead[] = []
  const due = leads.filter((lead) => isDue(lead, at))
  for (const [owner, ofOwner] of Map.groupBy(due, (lead) => lead.owner))
    fitting.push(...ofOwner.slice(0, await countFitting(owner, ofOwner.length, at)))
  const messages = [...fitting, ...leads.filter((lead) => !isDue(lead, at))].flatMap((lead) => messageIfSoon(lead, at))
  if (messages.length > 0) await sendCallMessages(messages)
}

/** Sends the call of a lead if it is due now or soon. */
export const dispatchSoon = async (lead: Lead, at: Instant): Promise<void> => sendCallMessages(messageIfSoon(lead, at))

/**
 * As `dispatchSoon`, for a lead that is already written. When a call cannot be sent, it is left to the sweep.
 * @returns false when a call that is due now or soon could not be sent
 */
export const sendOrLeave = async (lead: Lead): Promise<boolean> => {
  try {
    await dispatchSoon(lead, now())
    return true
  } catch (error) {
    logger.warn('A call could not be sent. The sweep will send it.', { lead: lead.id, error: loggable(error) })
    return false
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
