import * as v from 'valibot'
import { getLines } from '../calling/line-store.ts'
import { now } from '../platform/clock.ts'
import { inLanes } from '../platform/lanes.ts'
import { loggable, logger } from '../platform/logger.ts'
import { measure } from '../platform/metrics.ts'
import { MINUTE, SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import type { Lines } from '../stops/compliance.ts'
import { comingMessages, lookMessage, sendCallMessages } from './dispatch.ts'
import { dueOf, isAnyCallable, readDueLeads } from './due-leads.ts'
import { ALL_LINES, type CallableOwner, callableOwner, fillAgain, fillAll, sendToFreeLines } from './fill-lines.ts'
import { CLOCKS, MOST_SENT_PER_SECOND } from './rules/fill-turn.ts'
import { noteSent, noteWaiting } from './waiting-store.ts'

/** How far the sweep looks ahead: further than to the next sweep but one, so that one sweep may be late or fail. */
const AHEAD = 130 * SECOND
/**
 * In each window of this length, the sweep sends one lead more than the owner has lines. The dial of that last lead makes the service note
 * that leads wait, even if it finds a free line.
 */
const WINDOW = 10 * SECOND
/** A lead that has been due for longer, although a line is free, is late. */
const OVERDUE = MINUTE
/** The messages that an earlier sweep sent for leads are handled within this time, after their delay. */
const HANDLED = 10 * SECOND

/** The end of an earlier look ahead. A local service may have set its clock back: a time that is too far ahead does not count. */
const sentUntil = ({ sent_until }: Lines, at: Instant): Instant =>
  sent_until !== null && sent_until <= at + AHEAD + CLOCKS ? sent_until : 0

/** Whether more leads wait than the owner has lines. They take the lines, so leads that become due soon would only be refused. */
const isBehind = async ({ user: { id, lines }, lines: { paused_upto } }: CallableOwner, at: Instant): Promise<boolean> => {
  // The index alone shows mostly that few wait.
  if ((await dueOf(id, 0, at - HANDLED, lines + 1)).length <= lines) return false
  const { ready } = await readDueLeads({ id, paused_upto }, lines + 1, lines + 1, at)
  return ready.filter(({ instant }) => instant < at - HANDLED).length > lines
}

/**
 * Sends the leads of an owner that become due before the next sweeps, each with its delay. If the owner is behind, it sends only one lead for
 * each window, in case the backlog ends earlier.
 */
const sendComing = async (found: CallableOwner, isLate: boolean, at: Instant): Promise<void> => {
  const { user, lines } = found
  const owner = user.id
  const until = at + AHEAD
  const most = isLate && (await isBehind(found, at)) ? 1 : user.lines + 1
  let from = Math.max(at + 1, sentUntil(lines, at))
  let isAny = false
  while (from < until) {
    const coming = await dueOf(owner, from, until, most)
    // While no lead can be called, dials would only be refused. If an agent's pause ends before `until`, they are sent: a dial may be the probe.
    if (!isAny && coming.length > 0 && !(await isAnyCallable(owner, until, lines.paused_upto))) return
    await sendCallMessages(comingMessages(coming, most, at))
    isAny ||= coming.length > 0
    const last = coming.at(-1)
    from = last && coming.length === most ? Math.max(last.instant + 1, at + Math.ceil((last.instant - at) / WINDOW) * WINDOW) : until
    // Noted after each window: a run that does not reach the end would send all of them again.
    if (isAny) await noteSent(owner, from)
  }
}

/** The sweep's look at one owner. */
const lookAtOwner = async (owner: number): Promise<void> => {
  const at = now()
  // Most owners have nothing to do in most minutes.
  const [first] = await dueOf(owner, 0, at + AHEAD, 1)
  const found = first && (await callableOwner(owner, await getLines(owner)))
  if (!found) return
  await sendComing(found, first.instant < at - HANDLED, at)
  if (first.instant > at) return
  const handled = HANDLED + (found.user.lines / MOST_SENT_PER_SECOND) * SECOND
  const filled = await sendToFreeLines(found, { ...ALL_LINES, sent: { from: at - handled, until: sentUntil(found.lines, at) } })
  if (!filled) {
    await noteWaiting(owner, found.lines, at)
    // A call that ended before the note found no lead that waits.
    return fillAll(owner)
  }
  const overdue = filled.ready.filter(({ instant }) => instant < at - OVERDUE).length
  // With no line in use, dials do not work, so all overdue leads count. Otherwise only those that had a free line and were not sent.
  measure('leads_overdue', filled.free === found.user.lines ? overdue : Math.min(overdue, filled.free - filled.sentNow))
  // Leads that were sent before take the free lines.
  if (filled.sentBefore === 0) await fillAgain(owner, filled)
}

/** As `lookAtOwner`. Only logs malformed items: a retry would find them again. @returns the owner with the failure, if any */
const tryToLook = async (owner: number): Promise<{ readonly owner: number; readonly error: unknown }[]> => {
  try {
    await lookAtOwner(owner)
  } catch (error) {
    if (!v.isValiError(error)) return [{ owner, error }]
    logger.error('The due leads of an owner are not called, because something cannot be read.', { owner, error: loggable(error) })
  }
  return []
}

/** Owners that are looked at in parallel. */
const LANES = 5
/** Seconds until the next look at owners whose look failed. */
const AGAIN_AFTER = 5

/**
 * The sweep's look at some owners. If it fails for a part of them, a message repeats it for these alone.
 * @throws the first failure when it failed for all: the queue limits the retries, and each new message has fewer owners
 */
export const lookAtOwners = async (owners: readonly number[]): Promise<void> => {
  measure('leads_overdue', 0)
  const failures = (await inLanes(LANES, owners, tryToLook)).flat()
  const [first] = failures
  if (!first) return
  if (failures.length === owners.length) throw first.error
  for (const { owner, error } of failures)
    logger.warn('The look at the due leads of an owner failed. It is repeated in seconds.', { owner, error: loggable(error) })
  await sendCallMessages([{ ...lookMessage(failures.map(({ owner }) => owner)), delaySeconds: AGAIN_AFTER }])
}
