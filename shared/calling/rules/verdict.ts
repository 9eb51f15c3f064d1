import type { LeadType, User } from '../../accounts/configuration.ts'
import type { Breaker } from '../../agents/rules/breaker.ts'
import type { ConsentState } from '../../consents/consent.ts'
import type { Lead } from '../../leads/lead.ts'
import type { GateName, Instant } from '../../platform/values/values.ts'
import type { ReassignedAnswer } from '../../reassigned/answer.ts'
import type { RegistryFinding } from '../../registries/registry.ts'
import type { Lines, Phone } from '../../stops/compliance.ts'
import type { Awaited } from './dial/awaited.ts'
import type { SeenLines } from './dial/line-groups.ts'
import type { CallingPolicy } from './policy.ts'

/** Everything a gate may look at, read together. */
export interface GateInputs {
  readonly now: Instant
  readonly lead: Lead
  readonly owner: User
  readonly leadType: LeadType | undefined
  readonly phone: Phone
  /** Identifies the phone where its number must not be revealed. */
  readonly phoneHash: string
  /** Whether the phone is on the operator's list of litigators. */
  readonly isLitigator: boolean
  /** The recorded consent of the phone. Null: no gate of this lead uses one, so it was not read. */
  readonly consent: ConsentState | null
  /** The answers about the phone, one of each do-not-call registry that counts for the lead. */
  readonly registries: readonly RegistryFinding[]
  /** The answers of the reassigned numbers database about the phone. Empty when the lead is not checked. */
  readonly reassigned: readonly ReassignedAnswer[]
  /** The owner's pauses, and the calls on the first group of lines. */
  readonly lines: Lines
  /** The lines among which the call finds a free one. */
  readonly seenLines: SeenLines
  /** Whether the agent that the lead type names exists. */
  readonly hasAgent: boolean
  /** Where that agent is; see `addressOf`. Null: it does not exist. */
  readonly agentAddress: string | null
  /** The circuit breaker of the lead type's agent. */
  readonly breaker: Breaker
  readonly policy: CallingPolicy
  /** The owner's calls that the phone or the lead waits for. Set only for `explain`, not for a dial. */
  readonly awaited?: readonly Awaited[]
}

/** A gate's decision on a call that would start now, with its inputs. */
export interface Verdict {
  readonly gate: GateName
  readonly passed: boolean
  /** A short constant, stored with the attempt. */
  readonly code: string
  readonly detail: string
  readonly inputs: Readonly<Record<string, unknown>>
  /** The rules that decided; null when no rule did. */
  readonly rule: string | null
  /** The law that contains the rules; null when they are not a matter of law. */
  readonly citation: string | null
  /** The first instant at which the gate would pass by itself; null when only a change would make it pass. */
  readonly next_time: Instant | null
}

type Said = Pick<Verdict, 'code' | 'detail' | 'inputs'> & Partial<Pick<Verdict, 'rule' | 'citation' | 'next_time'>>

/** Builds a verdict. Fields that are left out become null. */
export const verdict = (gate: GateName, passed: boolean, said: Said): Verdict => ({
  gate,
  passed,
  rule: null,
  citation: null,
  next_time: null,
  ...said,
})

export type Gate = (inputs: GateInputs) => Verdict
