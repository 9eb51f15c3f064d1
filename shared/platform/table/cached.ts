import { realNow } from '../clock.ts'
import { SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'
import { shareLoads } from './share-loads.ts'

const MAX_ENTRIES = 1000

let clock = realNow

/** Replaces the clock of the caches: in a test, they expire only when the test says so. */
export const useCacheClock = (replacement: () => Instant): void => {
  clock = replacement
}

/** Milliseconds, from the start of a load. A changed setting holds everywhere after this time. */
export const CACHED_FOR = 10 * SECOND

/** Caches the result of `load`, and shares loads. A missing value is not cached. Only for the operator's configuration. */
export const cached = <K extends string | number, T>(load: (key: K) => Promise<T | undefined>) => {
  const entries = new Map<K, { value: T; until: number }>()
  const sharedLoad = shareLoads(async (key: K) => {
    // Taken before the load: a slow one may return what changed meanwhile.
    const until = clock() + CACHED_FOR
    return { value: await load(key), until }
  })
  return async (key: K): Promise<T | undefined> => {
    const entry = entries.get(key)
    // More time left than at its load means that the clock was set back.
    if (entry && entry.until > clock() && entry.until <= clock() + CACHED_FOR) return entry.value
    const { value, until } = await sharedLoad(key)
    if (entries.size >= MAX_ENTRIES) entries.clear()
    if (value === undefined) entries.delete(key)
    else entries.set(key, { value, until })
    return value
  }
}
