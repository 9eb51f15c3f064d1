import type { LeadType, User } from '../../accounts/configuration.ts'
import type { Breaker } from '../../agents/breaker.ts'
import type { Lead } from '../../leads/lead.ts'
import type { GateName, Instant } from '../../platform/values/values.ts'
import type { Lines, Phone } from '../../stops/compliance.ts'
import type { CallingPolicy } from './policy.ts'

/** Everything a gate may look at, read together. */
export interface GateInputs {
  readonly now: Instant
  readonly lead: Lead
  readonly owner: User
  readonly leadType: LeadType | undefined
  readonly phone: Phone
  /** Names the phone where it must not be told. */
  readonly phoneHash: string
  /** Whether the phone is on the operator's list of litigators. */
  readonly isLitigator: boolean
  readonly lines: Lines
  /** Whether the agent that the lead type names is there. */
  readonly hasAgent: boolean
  /** What the lead type's agent has been answering. */
  readonly breaker: Breaker
  readonly policy: CallingPolicy
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

type Said = Pick<Verdict, 'code' | 'detail' | 'inputs'> & Partial<Pick<Verdict, 'rule' | 'citation' | 'next_time'>>

/** What a gate says, without what there is nothing to say of. */
export const verdict = (gate: GateName, passed: boolean, said: Said): Verdict => ({
  gate,
  passed,
  rule: null,
  citation: null,
  next_time: null,
  ...said,
})

export type Gate = (facts: GateInputs) => Verdict
