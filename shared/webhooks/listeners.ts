import type { LeadEvent } from '../events/event.ts'
import { now } from '../platform/clock.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { type Listeners, listenersOf, listenersVersion } from './subscription-store.ts'

/** A change of subscriptions or erased leads is seen after this time at the latest. */
export const LISTENERS_SEEN_AFTER = 10 * SECOND
/** The clocks of two functions differ by less. */
const SKEW = SECOND / 4
const MOST_OWNERS = 1000

interface Loaded {
  readonly version: number
  /** When the read of the listeners began. */
  readonly read: Instant
  readonly listeners: Listeners
}

interface Entry {
  /** The run of the function that read them. */
  readonly run: object
  /** When the read of their version began. */
  readonly at: Instant
  readonly loaded: Promise<Loaded>
}

const entries = new Map<number, Entry>()

const isYoung = (at: Instant): boolean => now() - at >= 0 && now() - at < LISTENERS_SEEN_AFTER

/** Whether an earlier read shows every subscription that was acknowledged before an event. */
const isCurrent = ({ at }: Entry, { event_time }: Pick<LeadEvent, 'event_time'>): boolean => at >= event_time + SKEW && isYoung(at)

/** The version first: a change that comes between the two reads is read again. */
const load = async (owner: number, read: Instant, before: Entry | undefined): Promise<Loaded> => {
  const [version, earlier] = await Promise.all([listenersVersion(owner), before?.loaded.catch(() => undefined)])
  return earlier?.version === version && isYoung(earlier.read) ? earlier : { version, read, listeners: await listenersOf(owner) }
}

/**
 * The owner's subscriptions and erased leads, as they were after the event. The events of one run share a read, and so do events that
 * happened before an earlier read. For other events, a read of the version shows whether anything has changed: an owner with a thousand
 * events a second costs a few units a second, however many subscriptions it has.
 * @param run the same for all events that the function received before this run
 */
export const listenersAfter = async (event: Pick<LeadEvent, 'owner' | 'event_time'>, run: object): Promise<Listeners> => {
  const { owner } = event
  const before = entries.get(owner)
  if (before && (before.run === run || isCurrent(before, event))) return (await before.loaded).listeners
  if (entries.size >= MOST_OWNERS) entries.clear()
  const at = now()
  const entry: Entry = { run, at, loaded: load(owner, at, before) }
  entries.set(owner, entry)
  try {
    return (await entry.loaded).listeners
  } catch (error) {
    if (entries.get(owner) === entry) entries.delete(owner)
    throw error
  }
}
