import * as v from 'valibot'
import type { Call } from '../../schema/call.ts'
import type { Instant } from '../../schema/values.ts'
import { formatOptional } from '../time.ts'

/** What the agent said of a transfer when it began one. */
const Told = v.object({ mode: v.nullish(v.string(), null), destination: v.nullish(v.string(), null) })

const HANDED_OVER = new Set<Call['reported_outcome']>(['transferred_warm', 'transferred_blind', 'escalated'])

/** A leg that nobody ended is over with its call. */
const endOf = (call: Call): Instant | null => call.transfer_ended_time ?? call.ended_time ?? call.completed_time

/** Whether somebody took over. Without a check of availability nobody tells: then it counts as done unless the agent says otherwise. */
const isHandedOver = (call: Call, mode: string | null): boolean => {
  if (call.transfer_connected_time !== null || HANDED_OVER.has(call.reported_outcome)) return true
  return mode === 'blind' && call.reported_outcome !== 'transfer_unavailable'
}

/** A call's transfer leg, as the milestones tell it in whatever order; null when there was none. */
export const transferLeg = (call: Call, zone?: string) => {
  const begun = call.transfer_initiated_time ?? call.transfer_connected_time ?? call.transfer_ended_time
  if (begun === null) return null
  const { mode, destination } = v.parse(Told, call.transfer ?? {})
  const ended = endOf(call)
  const open = call.transfer_connected_time === null ? 'initiated' : 'connected'
  return {
    mode,
    destination,
    status: ended === null ? open : isHandedOver(call, mode) ? 'ended' : 'unavailable',
    initiated_time: formatOptional(call.transfer_initiated_time, zone),
    connected_time: formatOptional(call.transfer_connected_time, zone),
    ended_time: formatOptional(ended, zone),
  }
}
