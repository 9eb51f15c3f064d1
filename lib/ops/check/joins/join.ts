import type { RecordParts } from '../lines/record.ts'

/** Reports a location that may have damage of a kind. */
export type SuspectReport = (kind: string, where: string | number) => void

/** Finds suspects among the sorted records of one relation. */
export interface Join {
  /** Takes the next record, without its tag. */
  take(record: RecordParts): void
  /** Call it after the last record. */
  end(): void
}
