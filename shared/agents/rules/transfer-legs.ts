import * as v from 'valibot'
import type { Call } from '../../calling/call.ts'
import { formatOptional } from '../../platform/values/time.ts'
import { absentAsNull, Instant } from '../../platform/values/values.ts'

/** In the order in which they happen. */
const TRANSFER_STEPS = ['initiated', 'connected', 'ended'] as const

/** One report of an agent about a transfer. */
export const TransferReport = v.object({
  step: v.picklist(TRANSFER_STEPS),
  /** By the agent's clock. It distinguishes reports and orders them. */
  told_time: Instant,
  /** By our clock. */
  time: Instant,
  mode: absentAsNull(v.string()),
  destination: absentAsNull(v.string()),
  /** Why the transfer ended, in the agent's words. */
  reason: absentAsNull(v.string()),
})
export type TransferReport = v.InferOutput<typeof TransferReport>

/** One attempt to hand a person over. Values that no report gave are null. */
interface TransferLeg {
  readonly mode: string | null
  readonly destination: string | null
  readonly initiated_time: Instant | null
  readonly connected_time: Instant | null
  readonly ended_time: Instant | null
  readonly reason: string | null
}

const EMPTY_LEG: TransferLeg = { mode: null, destination: null, initiated_time: null, connected_time: null, ended_time: null, reason: null }

const StoredReport = v.pipe(v.string(), v.parseJson(), TransferReport)

const inOrder = (one: TransferReport, other: TransferReport): number =>
  one.told_time - other.told_time || TRANSFER_STEPS.indexOf(one.step) - TRANSFER_STEPS.indexOf(other.step) || one.time - other.time

/** The leg after one more step; undefined when the step belongs to another leg, or adds nothing. */
const grown = (leg: TransferLeg, { step, time, mode, destination, reason }: TransferReport): TransferLeg | undefined => {
  if (leg.ended_time !== null) return undefined
  if (step === 'initiated') return leg.initiated_time === null ? { ...leg, initiated_time: time, mode, destination } : leg
  if (step === 'connected') return { ...leg, connected_time: leg.connected_time ?? time }
  return { ...leg, ended_time: time, reason }
}

/** Removes repeated reports. Their `time` can differ when the agent's clock is ahead: the first report counts. */
const firsts = (reports: readonly TransferReport[]): TransferReport[] =>
  reports.filter(({ step, told_time }, place) => !reports.slice(0, place).some((one) => one.step === step && one.told_time === told_time))

/**
 * A call's transfer legs, the earliest first. Reports may come in any order and more than once. A leg begins when the one before has ended.
 * A second end of a leg is ignored.
 */
export const transferLegs = ({ transfers_told }: Pick<Call, 'transfers_told'>): TransferLeg[] => {
  const reports = firsts((transfers_told ?? []).map((text) => v.parse(StoredReport, text)).toSorted(inOrder))
  const legs: TransferLeg[] = []
  for (const step of reports) {
    const latest = legs.at(-1)
    const next = latest && grown(latest, step)
    if (next) legs[legs.length - 1] = next
    else if (!latest || step.step !== 'ended') legs.push(grown(EMPTY_LEG, step) ?? EMPTY_LEG)
  }
  return legs
}

const HANDED_OVER = new Set<Call['reported_outcome']>(['transferred_warm', 'transferred_blind', 'escalated'])

/**
 * Whether somebody took over the call. A blind transfer has no availability check, so it counts as done unless the agent reports otherwise.
 */
const isHandedOver = (call: Call, { connected_time, mode }: TransferLeg): boolean => {
  if (connected_time !== null || HANDED_OVER.has(call.reported_outcome)) return true
  return mode === 'blind' && call.reported_outcome !== 'transfer_unavailable'
}

const statusOf = (call: Call, leg: TransferLeg, ended: Instant | null): 'initiated' | 'connected' | 'unavailable' | 'ended' => {
  if (ended === null) return leg.connected_time === null ? 'initiated' : 'connected'
  return isHandedOver(call, leg) ? 'ended' : 'unavailable'
}

/** A call's latest transfer leg, whatever the order of the reports; null without a transfer. */
export const transferLeg = (call: Call) => {
  const leg = transferLegs(call).at(-1)
  if (!leg) return null
  // A leg without a reported end ends with its call.
  const ended = leg.ended_time ?? call.ended_time ?? call.completed_time
  return {
    mode: leg.mode,
    destination: leg.destination,
    status: statusOf(call, leg, ended),
    initiated_time: formatOptional(leg.initiated_time),
    connected_time: formatOptional(leg.connected_time),
    ended_time: formatOptional(ended),
  }
}
