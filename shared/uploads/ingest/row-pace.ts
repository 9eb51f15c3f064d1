import { inLanes } from '../../platform/lanes.ts'
import { busyAnswers } from '../../platform/table/busy.ts'

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
