import type { LeadEvent } from '../events/event.ts'
import { now } from '../platform/clock.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { type Listeners, listenersOf } from './subscription-store.ts'

/** A change of a subscription is seen after this time at the latest. */
const OLDEST = 10 * SECOND
/** The clocks of two functions differ by less. */
const SKEW = SECOND / 4
const MOST_OWNERS = 1000

interface Entry {
  /** The run of the function that read them. */
  readonly run: object
  /** When the read began. */
  readonly at: Instant
  readonly listeners: Promise<Listeners>
}

const entries = new Map<number, Entry>()

/** Whether an earlier read shows every subscription that was acknowledged before an event. */
const isCurrent = ({ at }: Entry, { event_time }: Pick<LeadEvent, 'event_time'>): boolean => {
  const age = now() - at
  return at >= event_time + SKEW && age >= 0 && age < OLDEST
}

/**
 * The owner's subscriptions and erased leads, as they were after the event. The events of one run share a read, and so do events that
 * happened before an earlier read: an owner with a thousand events a second costs a few reads a second.
 * @param run the same for all events that the function received before this run
 */
export const listenersAfter = (event: Pick<LeadEvent, 'owner' | 'event_time'>, run: object): Promise<Listeners> => {
  const { owner } = event
  const entry = entries.get(owner)
  if (entry && (entry.run === run || isCurrent(entry, event))) return entry.listeners
  if (entries.size >= MOST_OWNERS) entries.clear()
  const read: Entry = { run, at: now(), listeners: listenersOf(owner) }
  entries.set(owner, read)
  read.listeners.catch(() => {
    if (entries.get(owner) === read) entries.delete(owner)
  })
  return read.listeners
}
