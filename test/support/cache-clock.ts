import { CACHED_FOR, useCacheClock } from '#shared/platform/table/cached.ts'

let time = 0

/** Stops the clock of the caches. Otherwise a slow machine would read settings again, and tests would count different units. */
export const stopCacheClock = (): void => useCacheClock(() => time)

/** Lets the caches expire: changed settings, users and keys hold from now on. */
export const forgetConfiguration = (): void => {
  time += CACHED_FOR
}
