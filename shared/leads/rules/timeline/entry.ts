import type { Instant } from '../../../platform/values/values.ts'

/** What entries are of, in the order in which those of one instant are told. */
export const ENTRY_KINDS = ['lead', 'stop', 'call', 'text', 'promise', 'event', 'delivery', 'ahead'] as const

/** One thing that happened to a lead, or, of the kind `ahead`, is to happen. */
export interface TimelineEntry {
  readonly time: Instant
  readonly kind: (typeof ENTRY_KINDS)[number]
  readonly text: string
  /** Call, text message, event or delivery that it is of. */
  readonly id?: string
}

export const entry = (kind: TimelineEntry['kind'], time: Instant | null, text: string, id?: string): TimelineEntry[] =>
  time === null ? [] : [{ time, kind, text, ...(id !== undefined && { id }) }]

/** When something was accepted, by its sequence. */
export const acceptedTime = (sequence: string): Instant => Number(sequence.split('-')[0])
