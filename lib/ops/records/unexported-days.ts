import { piecesAfter } from '#shared/platform/bucket/bucket-pieces.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { RECORDS } from './record-file.ts'

/** The manifest of a complete folder. Its key tells the first and the last day of the period. */
const MANIFEST = new RegExp(`^${RECORDS}(\\d{4}-\\d\\d-\\d\\d)_(\\d{4}-\\d\\d-\\d\\d)/.*/manifest\\.json$`)

/** The days of some instants, as YYYY-MM-DD, of which no records are in the bucket. */
export const unexportedDays = async (instants: readonly Instant[]): Promise<string[]> => {
  const days = new Set(instants.map(dayOf))
  if (days.size === 0) return []
  for await (const { key } of piecesAfter(RECORDS, '')) {
    const [, from = '', to = ''] = MANIFEST.exec(key) ?? []
    for (const day of days) if (from <= day && day <= to) days.delete(day)
  }
  return [...days].toSorted()
}
