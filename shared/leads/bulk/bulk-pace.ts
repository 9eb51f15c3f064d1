import { newBusyPace } from '../../platform/table/busy-pace.ts'

/** Paces the leads of bulk creates and bulk updates. They give way to all work except files. */
export const takeBulkTurn = newBusyPace({ start: 200, least: 0.1, most: 200, kept: 0 })
