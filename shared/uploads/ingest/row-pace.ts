import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '../../platform/clock.ts'
import { setting } from '../../platform/environment.ts'
import { inLanes } from '../../platform/lanes.ts'
import { busyAnswers } from '../../platform/table/busy.ts'
import { SECOND } from '../../platform/values/durations.ts'

/**
 * How many rows are handled at the same time. Rows that need list positions at the same time share one request. A process begins with few,
 * because a new table takes little. A busy table halves the number. Each batch without a refusal raises it again. So files slow down
 * before anything else does.
 */
export const MOST_AT_ONCE = 64
const MORE_AT_ONCE = 8

let atOnce = MORE_AT_ONCE

/** Handles items of a batch that need little of the table, as many at a time as rows. The pace stays as it is. */
export const asManyAsRows = <T, R>(items: Iterable<T>, handle: (item: T) => Promise<R>): Promise<R[]> => inLanes(atOnce, items, handle)

/** Handles the items of a batch at the pace that the table permits. */
export const atPace = async <T>(items: Iterable<T>, handle: (item: T) => Promise<void>): Promise<void> => {
  const before = busyAnswers.count
  const isBusy = () => busyAnswers.count > before
  const [begun, half] = [atOnce, Math.ceil(atOnce / 2)]
  try {
    await inLanes(begun, items, handle, () => (isBusy() ? half : begun))
  } finally {
    atOnce = isBusy() ? half : Math.min(begun + MORE_AT_ONCE, MOST_AT_ONCE)
  }
}

/** Rows that were not begun are made up for, but only those of this time. So a pause between two batches costs no rows. */
const MADE_UP = SECOND / 4

/** When the next row may begin, by the machine's clock. */
let nextRowAt = 0

/**
 * Waits until this process may begin another row. Each run that reads files has a fixed share of the rows a second of the whole
 * deployment. So files leave a part of the table to calls and requests, whatever their number.
 */
export const takeRowTurn = async (): Promise<void> => {
  const turn = Math.max(nextRowAt, realNow() - MADE_UP)
  nextRowAt = turn + SECOND / setting('ROWS_PER_SECOND')
  const wait = turn - realNow()
  if (wait > 0) await sleep(wait)
}
