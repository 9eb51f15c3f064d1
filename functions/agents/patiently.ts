import { realNow } from '#shared/platform/clock.ts'
import { onceNotBusy, SHORT_PAUSE } from '#shared/platform/table/busy.ts'
import { SECOND } from '#shared/platform/values/durations.ts'

/** Leaves enough of the 29 seconds of API Gateway for the last try. */
const PATIENCE = 20 * SECOND

/**
 * Handles a report again while the table is too busy for it. Few voice platforms send a refused report again. A report is stored even if
 * its sender has stopped waiting. Every report is safe to repeat.
 */
export const patiently =
  <R, T>(handle: (request: R) => Promise<T>) =>
  (request: R): Promise<T> =>
    onceNotBusy(realNow() + PATIENCE, () => handle(request), SHORT_PAUSE)
