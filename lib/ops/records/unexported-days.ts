import * as v from 'valibot'
import { getPiece, piecesAfter } from '#shared/platform/bucket/bucket-pieces.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import type { Instant } from '#shared/platform/values/values.ts'
import { RECORDS } from './record-file.ts'

/** The manifest of a complete folder. Its key tells the first and the last day of the period. */
const MANIFEST = new RegExp(`^${RECORDS}(\\d{4}-\\d\\d-\\d\\d)_(\\d{4}-\\d\\d-\\d\\d)/.*/manifest\\.json$`)

/** The part of a manifest that says what its folder lacks. */
const Lacks = v.pipe(v.string(), v.parseJson(), v.object({ open_calls: v.number(), unreadable_items: v.number() }))

/** Whether a folder lacks nothing of its period. A call that was open then has no outcome there. */
const isWhole = async (manifest: string): Promise<boolean> => {
  const read = v.safeParse(Lacks, (await getPiece(manifest)).toString())
  return read.success && read.output.open_calls === 0 && read.output.unreadable_items === 0
}

/** The days of some instants, as YYYY-MM-DD, of which no whole records are in the bucket. */
export const unexportedDays = async (instants: readonly Instant[]): Promise<string[]> => {
  const days = new Set(instants.map(dayOf))
  if (days.size === 0) return []
  for await (const { key } of piecesAfter(RECORDS, '')) {
    const [, from = '', to = ''] = MANIFEST.exec(key) ?? []
    const held = [...days].filter((day) => from <= day && day <= to)
    if (held.length > 0 && (await isWhole(key))) for (const day of held) days.delete(day)
  }
  return [...days].toSorted()
}
