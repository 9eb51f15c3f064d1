import type { Lines, Phone } from '../../schema/compliance.ts'
import type { LeadType, User } from '../../schema/configuration.ts'
import type { Lead } from '../../schema/lead.ts'
import type { Instant } from '../../schema/values.ts'

export type GateName = 'status' | 'paused' | 'dnc' | 'lead_type' | 'start_time' | 'due' | 'window' | 'call_in_progress' | 'capacity'

/** Everything a gate may look at, read together. */
export interface Facts {
  readonly now: Instant
  readonly lead: Lead
  readonly owner: User
  readonly leadType: LeadType | undefined
  readonly phone: Phone
  readonly lines: Lines
  readonly defaultTimezone: string
}

/** What a gate says of a call that would start now, and what it went by. */
export interface Verdict {
  readonly gate: GateName
  readonly passed: boolean
  /** A short constant, kept with the attempt. */
  readonly code: string
  readonly detail: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** The rule that decided, with where it is written; null when it is not a matter of law. */
  readonly rule: string | null
  readonly citation: string | null
  /** The first instant at which the gate would pass by itself; null when only a change would make it pass. */
  readonly next_time: Instant | null
}

export type Gate = (facts: Facts) => Verdict
