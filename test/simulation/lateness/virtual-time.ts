import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { heap } from './heap.ts'

/** A clock that advances only when all handlers wait for it. */
export interface VirtualTime {
  /** Epoch milliseconds, as an integer. */
  now(): number
  at(instant: number, action: () => void): void
  sleep(milliseconds: number): Promise<void>
  /** Real work, such as a table request, during which the virtual clock stands still. */
  atOnce<T>(work: () => Promise<T>): Promise<T>
  /**
   * Real work whose result is seen after some milliseconds. The clock stands still until the work calls `sent`, and at the end of these
   * milliseconds if the work is not done by then. So the work of many handlers goes on at once, and each sees its result at the same
   * instant as if nothing else went on.
   */
  ahead<T>(milliseconds: number, work: (sent: () => void) => Promise<T>): Promise<T>
  /** Runs all events up to an instant. */
  run(until: number): Promise<void>
}

/** Restores the process's own clock, pauses and random numbers. */
export type Restore = () => void

export const startVirtualTime = (start: number, chance: () => number): { readonly time: VirtualTime; readonly restore: Restore } => {
  const events = heap<() => void>()
  let current = start
  let working = 0
  let worked: (() => void) | undefined

  /** Waits until every handler waits for virtual time. */
  const quiet = async (): Promise<void> => {
    do {
      if (working > 0) {
        await new Promise<void>((resolve) => {
          worked = resolve
        })
      }
      await new Promise<void>((resolve) => setImmediate(resolve))
    } while (working > 0)
  }

  const at = (instant: number, action: () => void): void => events.push(Math.max(Math.ceil(instant), current), action)
  const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => at(current + milliseconds, resolve))

  /** Stops the clock. @returns a function that lets it go on */
  const hold = (): (() => void) => {
    working++
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      working--
      if (working === 0) worked?.()
    }
  }
  const atOnce = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = hold()
    try {
      return await work()
    } finally {
      release()
    }
  }

  const time: VirtualTime = {
    now: () => current,
    at,
    sleep,
    atOnce,
    ahead: async (milliseconds, work) => {
      const release = hold()
      const result = work(release).finally(release)
      // A failure is seen at the end too, and nobody listens until then.
      result.catch(() => {})
      await sleep(milliseconds)
      return atOnce(() => result)
    },
    run: async (until) => {
      await quiet()
      while (events.next() <= until) {
        const event = events.pop()
        if (!event) return
        current = event.instant
        event.thing()
        await quiet()
      }
      current = until
    },
  }

  const real = { now: Date.now, random: Math.random, pause: timers.setTimeout }
  const pause = async <T>(milliseconds = 1, value?: T): Promise<T | undefined> => {
    await sleep(milliseconds)
    return value
  }
  const setPauses = (setTimeout: unknown): void => {
    Object.assign(timers, { setTimeout })
    syncBuiltinESMExports()
  }
  Date.now = time.now
  Math.random = chance
  setPauses(pause)
  return {
    time,
    restore: () => {
      Date.now = real.now
      Math.random = real.random
      setPauses(real.pause)
    },
  }
}
