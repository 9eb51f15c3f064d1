import type { LeadEvent } from '../events/event.ts'
import { now } from '../platform/clock.ts'
import { SECOND } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { type Listeners, listenersOf, listenersVersion } from './subscription-store.ts'

/** A change of subscriptions or erased leads is seen after this time at the latest. */
export const LISTENERS_SEEN_AFTER = 10 * SECOND
/** Milliseconds. No write of a delivery begins later than this after its payload was built. */
export const LISTENERS_USED_FOR = 3 * SECOND
/** The clocks of two functions differ by less. */
const SKEW = SECOND / 4
/** Bytes, as estimated by `sizeOf`. A few dozen owners with the most and longest filter conditions fill it. */
const MOST_BYTES = 32 * 1024 * 1024
/** About how many bytes of memory each of them needs. */
const BYTES = { owner: 1000, subscription: 300, trigger: 50, character: 2, erased: 40 }

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
  /** Estimated bytes; zero while it loads. */
  readonly size: number
}

/** By owner, the oldest first. */
const entries = new Map<number, Entry>()
/** The bytes of all entries. */
let bytesCached = 0

const sizeOf = ({ subscriptions, erased }: Listeners): number =>
  subscriptions
    .map(({ trigger, filter_condition }) => BYTES.subscription + BYTES.trigger * trigger.length + BYTES.character * filter_condition.length)
    .reduce((sum, size) => sum + size, BYTES.owner + BYTES.erased * erased.size)

const isYoung = (at: Instant): boolean => now() - at >= 0 && now() - at < LISTENERS_SEEN_AFTER

/** Whether an earlier read shows every subscription that was acknowledged before the write of an event. */
const isCurrent = ({ at }: Entry, { published_time }: Pick<LeadEvent, 'published_time'>): boolean =>
  published_time !== undefined && at >= published_time + SKEW && isYoung(at)

/** The version first: a change that comes between the two reads is read again. */
const load = async (owner: number, read: Instant, before: Entry | undefined): Promise<Loaded> => {
  const [version, earlier] = await Promise.all([listenersVersion(owner), before?.loaded.catch(() => undefined)])
  return earlier?.version === version && isYoung(earlier.read) ? earlier : { version, read, listeners: await listenersOf(owner) }
}

const drop = (owner: number): void => {
  bytesCached -= entries.get(owner)?.size ?? 0
  entries.delete(owner)
}

/** Drops entries that are too old to be used, and the oldest of the others while all are too large. The newest one stays. */
const makeRoom = (): void => {
  for (const [owner, { at }] of entries) {
    if (isYoung(at) && (bytesCached <= MOST_BYTES || entries.size === 1)) return
    drop(owner)
  }
}

const add = (owner: number, entry: Entry): void => {
  drop(owner)
  entries.set(owner, entry)
  makeRoom()
}

/** Notes the size of an entry that is loaded, if it is still there. */
const measure = (owner: number, entry: Entry, size: number): void => {
  if (entries.get(owner) !== entry) return
  entries.set(owner, { ...entry, size })
  bytesCached += size
  makeRoom()
}

/**
 * The owner's subscriptions and erased leads, as they were after the write of the event. The events of one run share a read, and so do
 * events that were published before an earlier read. For other events, a read of the version shows whether anything has changed: an owner
 * with a thousand events a second costs a few units a second, however many subscriptions it has.
 * @param run the same for all events that the function received before this run
 */
export const listenersAfter = async (event: Pick<LeadEvent, 'owner' | 'published_time'>, run: object): Promise<Listeners> => {
  const { owner } = event
  const before = entries.get(owner)
  if (before && (before.run === run || isCurrent(before, event))) return (await before.loaded).listeners
  const at = now()
  const entry: Entry = { run, at, loaded: load(owner, at, before), size: 0 }
  add(owner, entry)
  try {
    const { listeners } = await entry.loaded
    measure(owner, entry, sizeOf(listeners))
    return listeners
  } catch (error) {
    if (entries.get(owner) === entry) drop(owner)
    throw error
  }
}
