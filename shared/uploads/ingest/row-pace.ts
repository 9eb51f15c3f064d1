import { setting } from '../../platform/environment.ts'
import { newBusyPace } from '../../platform/table/busy-pace.ts'

/** Rows that are handled at the same time. Rows that need list positions at the same time share one request. */
export const ROWS_AT_ONCE = 32

/** Rows a second. A new table takes little. Files slow down most of all work, nearly to a stop. */
const START = 30
const LEAST = 0.02

/**
 * Waits until this process may begin another row, or try one again. The most is a fixed share of the rows a second of the whole deployment.
 * So files leave a part of the table to calls and requests, whatever their number.
 */
export const takeRowTurn = newBusyPace(() => {
  const most = setting('ROWS_PER_SECOND')
  return { start: Math.min(START, most), least: LEAST, most, left: 0 }
})
