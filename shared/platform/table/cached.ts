import { realNow } from '../clock.ts'
import { shareLoads } from './share-loads.ts'

const MAX_ENTRIES = 1000

/** Caches the result of `load`, and shares loads. The `seconds` count from the start of the load. A missing value is not cached. Only for the operator's configuration. */
export const cached = <K extends string | number, T>(seconds: number, load: (key: K) => Promise<T | undefined>) => {
  const entries = new Map<K, { value: T; until: number }>()
  const sharedLoad = shareLoads(async (key: K) => {
    // Taken before the load: a slow one may return what changed meanwhile.
    const until = realNow() + seconds * 1000
    return { value: await load(key), until }
  })
  return async (key: K): Promise<T | undefined> => {
    const entry = entries.get(key)
    if (entry && entry.until > realNow()) return entry.value
    const { value, until } = await sharedLoad(key)
    if (entries.size >= MAX_ENTRIES) entries.clear()
    if (value === undefined) entries.delete(key)
    else entries.set(key, { value, until })
    return value
  }
}
