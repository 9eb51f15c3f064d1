import { setting } from '../../platform/environment.ts'
import { newBusyPace } from '../../platform/table/busy-pace.ts'

/** Rows that are handled at the same time. Rows that need list positions at the same time share one request. */
export const ROWS_AT_ONCE = 32

/** Rows a second of a new process. A new table takes little. */
const START = 30
/** Nearly a stop: files give way to all other work. */
const LEAST = 0.02

let takeTurn: ReturnType<typeof newBusyPace> | undefined

/**
 * Waits until this process may begin another row, or try one again. At most, that is a fixed share of the rows a second of the whole
 * deployment. So files leave a part of the table to calls and requests, whatever their number.
 */
export const takeRowTurn = (giveUpAt: number): Promise<boolean> => {
  if (!takeTurn) {
    const most = setting('ROWS_PER_SECOND')
    takeTurn = newBusyPace({ start: Math.min(START, most), least: Math.min(LEAST, most), most, kept: 0 })
  }
  return takeTurn(giveUpAt)
}
