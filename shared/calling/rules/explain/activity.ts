import type { Instant } from '../../../platform/values/values.ts'
import type { Lines } from '../../../stops/compliance.ts'
import type { Call } from '../../call.ts'

/** Leads are counted up to this number. So a look costs the same with a thousand leads and with a million. */
export const MOST_COUNTED_NOW = 100
export const MOST_SHOWN = 25
export const HOLD_REASONS = ['PAUSED', 'LEAD_TYPE', 'CALLING_HOURS', 'REGISTRY', 'REASSIGNED', 'AGENT_DOWN', 'NO_AGENT'] as const

/** Why leads are not called, although they are due. */
export interface Hold {
  readonly reason: (typeof HOLD_REASONS)[number]
  readonly leadType: number | null
  /** Null: not counted, because the list has the leads of other owners too. */
  readonly leads: number | null
  /** When the agent is tried again. */
  readonly until: Instant | null
  readonly detail: string | null
}

/** A lead with a planned call. */
export interface PlannedLead {
  readonly lead: number
  readonly attempt: number
  readonly instant: Instant
}

/** What happens to an owner's leads at this moment. */
export interface Activity {
  readonly lines: Lines
  readonly inUse: number
  /** Some of the calls in progress, the latest first. */
  readonly calls: readonly Call[]
  /** Leads that are due and not called yet, the earliest first. */
  readonly overdue: readonly PlannedLead[]
  readonly nextHour: readonly PlannedLead[]
  readonly holds: readonly Hold[]
}
