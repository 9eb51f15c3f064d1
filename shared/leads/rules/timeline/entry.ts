import type { Instant } from '../../../platform/values/values.ts'

/** Kinds of entries. Entries of the same instant are listed in this order. */
export const ENTRY_KINDS = ['lead', 'stop', 'call', 'text', 'promise', 'event', 'delivery', 'ahead'] as const

/** Something that happened to a lead or, with the kind `ahead`, will happen. */
export interface TimelineEntry {
  readonly time: Instant
  readonly kind: (typeof ENTRY_KINDS)[number]
  readonly text: string
  /** Id of the call, text message, event or delivery. */
  readonly id?: string
}

export const entry = (kind: TimelineEntry['kind'], time: Instant | null, text: string, id?: string): TimelineEntry[] =>
  time === null ? [] : [{ time, kind, text, ...(id !== undefined && { id }) }]

/** The instant in an acceptance sequence. */
export const acceptedTime = (sequence: string): Instant => Number(sequence.split('-')[0])
