import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '#shared/platform/values/values.ts'

/** Time and interruptions, for a command that waits for something. Tests replace it. */
export interface Waiting {
  /** Real time: other machines and people live by it. */
  now(): Instant
  /** Ends after some milliseconds, or as soon as the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Calls back at Ctrl-C. @returns a function that ends this */
  onInterrupt(listener: () => void): () => void
}

export const REAL_WAITING: Waiting = {
  now: Date.now,
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }).catch(() => undefined),
  onInterrupt: (listener) => {
    process.once('SIGINT', listener)
    return () => void process.off('SIGINT', listener)
  },
}
