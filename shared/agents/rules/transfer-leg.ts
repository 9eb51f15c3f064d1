import type { Call } from '../../calling/call.ts'
import { formatOptional } from '../../platform/values/time.ts'
import { type TransferLeg, transferLegs } from './transfer-legs.ts'

const HANDED_OVER = new Set<Call['reported_outcome']>(['transferred_warm', 'transferred_blind', 'escalated'])

/** Whether somebody took over. A blind transfer has no availability check, so it counts as done unless the agent reports otherwise. */
const isHandedOver = (call: Call, { connected_time, mode }: TransferLeg): boolean => {
  if (connected_time !== null || HANDED_OVER.has(call.reported_outcome)) return true
  return mode === 'blind' && call.reported_outcome !== 'transfer_unavailable'
}

/** A call's latest transfer leg, whatever the order of the reports; null without a transfer. */
export const transferLeg = (call: Call) => {
  const leg = transferLegs(call).at(-1)
  if (!leg) return null
  // A leg without a reported end ends with its call.
  const ended = leg.ended_time ?? call.ended_time ?? call.completed_time
  const open = leg.connected_time === null ? 'initiated' : 'connected'
  return {
    mode: leg.mode,
    destination: leg.destination,
    status: ended === null ? open : isHandedOver(call, leg) ? 'ended' : 'unavailable',
    initiated_time: formatOptional(leg.initiated_time),
    connected_time: formatOptional(leg.connected_time),
    ended_time: formatOptional(ended),
  }
}
