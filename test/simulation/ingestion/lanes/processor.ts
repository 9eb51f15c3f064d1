import type { VirtualTime } from '../../lateness/virtual-time.ts'

/**
 * Milliseconds of CPU time of a function for a row that it writes: it maps the row, decides, and signs the requests to the table.
 * `docs/reference/costs.md` assumes the same.
 */
export const ROW_MS = 5

/**
 * Milliseconds for each row of the file, whether the lane takes it or not: to find where the row ends, and whose it is. Measured on a core
 * of a usual machine, this took 2 µs, and a row that is written 2 ms.
 */
export const PARSE_MS = ROW_MS / 1000

/** Milliseconds for a key of a batch of reads. */
export const KEY_MS = 0.1

/** Computes for some milliseconds, after all that was asked for earlier. */
export type Processor = (milliseconds: number) => Promise<void>

/** The processor of a sandbox. It does one thing at a time. */
export const processorIn = (time: VirtualTime): Processor => {
  let free = 0
  return async (milliseconds) => {
    free = Math.max(free, time.now()) + milliseconds
    if (free > time.now()) await time.sleep(free - time.now())
  }
}
