import { SECOND } from '../../platform/values/durations.ts'

/** The most rows of a batch. The rows of a batch are handled and counted together. A crash repeats at most one batch. */
export const BATCH = 250

/** Milliseconds. A batch that takes longer comes too close to the end of its lease, after which nothing of it would count. */
const LONG = 8 * SECOND

/**
 * Rows of the first batch of a run. Each attempt that a transient error ended halves it: a table or a machine that is too slow for a whole
 * batch must not keep the file from getting on.
 * @param transientFailures attempts since the last counted batch that ended with a transient error
 */
export const firstBatch = (transientFailures: number): number => Math.max(1, Math.floor(BATCH / 2 ** transientFailures))

/** Rows of the next batch of the run, after one of `rows` rows. */
export const nextBatch = (rows: number, milliseconds: number): number =>
  milliseconds > LONG ? Math.max(1, Math.floor(rows / 2)) : Math.min(BATCH, 2 * rows)
