import * as v from 'valibot'
import type { Call } from '../../calling/call.ts'
import type { Instant } from '../../platform/values/values.ts'
import { TRANSFER_STEPS, TransferReport } from '../transfer-report.ts'

/** One attempt to hand a person over. Values that no report gave are null. */
export interface TransferLeg {
  readonly mode: string | null
  readonly destination: string | null
  readonly initiated_time: Instant | null
  readonly connected_time: Instant | null
  readonly ended_time: Instant | null
  readonly reason: string | null
}

const UNTOLD: TransferLeg = { mode: null, destination: null, initiated_time: null, connected_time: null, ended_time: null, reason: null }

const Told = v.pipe(v.string(), v.parseJson(), TransferReport)

const inOrder = (one: TransferReport, other: TransferReport): number =>
  one.told_time - other.told_time || TRANSFER_STEPS.indexOf(one.step) - TRANSFER_STEPS.indexOf(other.step) || one.time - other.time

/** The leg after one more step; undefined when the step belongs to another leg, or adds nothing. */
const grown = (leg: TransferLeg, { step, time, mode, destination, reason }: TransferReport): TransferLeg | undefined => {
  if (leg.ended_time !== null) return undefined
  if (step === 'initiated') return leg.initiated_time === null ? { ...leg, initiated_time: time, mode, destination } : leg
  if (step === 'connected') return { ...leg, connected_time: leg.connected_time ?? time }
  return { ...leg, ended_time: time, reason }
}

/** Removes repeats of a report. Their `time` can differ when the agent's clock is ahead; the first one counts. */
const firsts = (told: readonly TransferReport[]): TransferReport[] =>
  told.filter(({ step, told_time }, place) => !told.slice(0, place).some((one) => one.step === step && one.told_time === told_time))

/**
 * A call's transfer legs, the earliest first. Reports may come in any order and more than once. A leg begins when the one before has ended.
 * A second end of a leg is ignored.
 */
export const transferLegs = ({ transfers_told }: Pick<Call, 'transfers_told'>): TransferLeg[] => {
  const told = firsts((transfers_told ?? []).map((text) => v.parse(Told, text)).toSorted(inOrder))
  const legs: TransferLeg[] = []
  for (const step of told) {
    const latest = legs.at(-1)
    const next = latest && grown(latest, step)
    if (next) legs[legs.length - 1] = next
    else if (!latest || step.step !== 'ended') legs.push(grown(UNTOLD, step) ?? UNTOLD)
  }
  return legs
}
