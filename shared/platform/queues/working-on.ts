import { setTimeout as sleep } from 'node:timers/promises'

/** How a run takes further records while it waits for slow ones. */
export interface FurtherWork<T> {
  /** Milliseconds after which a record that is still being handled counts as slow. */
  readonly slowAfter: number
  /** A run with so many open records takes no more. */
  readonly mostSlow: number
  /** Milliseconds that the run must have left to take a record, so that a slow one ends before the run does. */
  readonly leastTime: number
  /** Must not fail. */
  readonly take: () => Promise<readonly T[]>
}

/** Milliseconds to wait after there was no further work. */
const IDLE_MS = 250

/** Resolves when all of the work is done, or after `ms` milliseconds. */
const doneWithin = async (work: readonly Promise<void>[], ms: number): Promise<void> => {
  const done = new AbortController()
  const late = sleep(ms, undefined, { signal: done.signal }).catch(() => {})
  await Promise.race([Promise.all(work), late])
  done.abort()
}

/**
 * Handles records at the same time. While slow ones run on, it takes further records, so that a slow one holds up no others. `handle` must
 * not fail. @returns how many further records were handled
 */
export const workOn = async <T>(
  records: readonly T[],
  handle: (record: T, isFurther: boolean) => Promise<void>,
  { slowAfter, mostSlow, leastTime, take }: FurtherWork<T>,
  timeLeft: () => number,
): Promise<number> => {
  const open = new Set<Promise<void>>()
  const begin = (batch: readonly T[], isFurther: boolean): readonly Promise<void>[] =>
    batch.map((record) => {
      const work = handle(record, isFurther).finally(() => open.delete(work))
      open.add(work)
      return work
    })
  await doneWithin(begin(records, false), slowAfter)
  let further = 0
  while (open.size > 0 && timeLeft() > leastTime) {
    const begun = begin(open.size < mostSlow ? await take() : [], true)
    further += begun.length
    await (begun.length > 0 ? doneWithin(begun, slowAfter) : doneWithin([...open], IDLE_MS))
  }
  await Promise.all(open)
  return further
}
