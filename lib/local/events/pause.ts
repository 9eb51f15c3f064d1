import { setTimeout } from 'node:timers/promises'

/** Writes one line about something that failed or was skipped. */
export type Log = (message: string) => void

/** Resolves after `milliseconds`, or at once when the signal aborts. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}
