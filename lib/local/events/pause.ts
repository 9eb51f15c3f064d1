import { setTimeout } from 'node:timers/promises'

/** Says one line about what went wrong or was put aside. */
export type Log = (message: string) => void

/** Resolves after `milliseconds`, or at once when the signal is given. */
export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined)
}
