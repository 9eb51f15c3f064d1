import type { Call } from '#shared/calling/call.ts'
import { callsOf } from '#shared/calling/call-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import type { DialledCall } from './dialled-calls.ts'
import type { Hold } from './hold-watch.ts'
import type { Party } from './parties.ts'
import type { PlayedRound } from './play-round.ts'

/** A lead of a round, as it is in the end. */
export interface LeadEvidence {
  readonly id: number
  readonly party: Party
  /** Undefined when it is gone. */
  readonly lead: Lead | undefined
  readonly calls: readonly Call[]
  /** When a stop was acknowledged; null: never. */
  readonly stopped: number | null
}

export interface RoundEvidence {
  readonly leads: readonly LeadEvidence[]
  readonly dialled: readonly DialledCall[]
  /** Calls that were looked up. */
  readonly searched: ReadonlySet<string>
  readonly holds: readonly Hold[]
  readonly lines: number
  readonly mostLines: number
  readonly ended: number
}

export const readRound = async (
  { lineUp, dialled, stopped, holds, mostLines, ended }: PlayedRound,
  searched: ReadonlySet<string>,
): Promise<RoundEvidence> => {
  const leads: LeadEvidence[] = []
  for (const { id, party } of lineUp.leads) {
    leads.push({ id, party, lead: await getLead(id), calls: await callsOf(id), stopped: stopped.get(id) ?? null })
  }
  return { leads, dialled, searched, holds, lines: lineUp.lines, mostLines, ended }
}
