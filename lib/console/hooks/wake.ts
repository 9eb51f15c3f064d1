import { sleep } from '../../client/retry.ts'

export interface Wake {
  /** Waits, at most until the next call. @throws the signal's reason when it aborts */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Ends all waits. */
  readonly call: () => void
}

/** Waits that can end early. */
export const createWake = (): Wake => {
  let early = new AbortController()
  return {
    wait: async (milliseconds, signal) => {
      try {
        await sleep(milliseconds, AbortSignal.any([signal, early.signal]))
      } catch {
        signal.throwIfAborted()
      }
    },
    call: () => {
      const ended = early
      early = new AbortController()
      ended.abort()
    },
  }
}
