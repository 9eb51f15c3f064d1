import { transferLegs } from '../../../agents/rules/transfer-legs.ts'
import type { Call, ReportedOutcome } from '../../call.ts'

/** Outcomes that say no more than that a conversation is over. */
const PLAIN: ReadonlySet<ReportedOutcome> = new Set(['completed', 'hung_up', 'unknown'])

const connectedLeg = (call: Pick<Call, 'transfers_told'>) => {
  const leg = transferLegs(call).at(-1)
  return leg && leg.connected_time !== null && leg.ended_time === null ? leg : undefined
}

/** Whether the person still talks, with somebody to whom the platform's assistant transferred the call. */
export const isTalkingToOther = (call: Call): boolean =>
  call.on_platform === true && call.ended_time === null && call.completed_time === null && connectedLeg(call) !== undefined

/** The transfer outcome, if the platform reports only that the call ended. Undefined without a connected transfer. */
export const transferredAs = (
  call: Pick<Call, 'transfers_told' | 'on_platform'>,
  reported: ReportedOutcome,
): ReportedOutcome | undefined => {
  const leg = call.on_platform === true && PLAIN.has(reported) ? connectedLeg(call) : undefined
  return leg && (leg.mode === 'warm' ? 'transferred_warm' : 'transferred_blind')
}
