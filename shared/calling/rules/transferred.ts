import { transferLegs } from '../../agents/rules/transfer-legs.ts'
import type { Call, ReportedOutcome } from '../call.ts'

/** Outcomes that say no more than that a conversation is over. */
const PLAIN: ReadonlySet<ReportedOutcome> = new Set(['completed', 'hung_up', 'unknown'])

/**
 * The outcome of a call on a platform that does not say, at the end of a call, that somebody else had taken it over. Undefined when nobody
 * had, or when the platform reports another outcome.
 */
export const transferredAs = (call: Pick<Call, 'transfers_told'>, reported: ReportedOutcome): ReportedOutcome | undefined => {
  const leg = PLAIN.has(reported) ? transferLegs(call).at(-1) : undefined
  if (!leg || leg.connected_time === null || leg.ended_time !== null) return undefined
  return leg.mode === 'warm' ? 'transferred_warm' : 'transferred_blind'
}
