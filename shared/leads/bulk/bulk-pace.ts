import { newBusyPace } from '../../platform/table/busy-pace.ts'

/** Waits until this process may begin another lead of a bulk request. After files, these slow down first while the table is busy. */
export const takeBulkTurn = newBusyPace(() => ({ start: 200, least: 0.1, most: 200, left: 0 }))
