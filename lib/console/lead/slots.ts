import { MINUTE } from '#shared/platform/values/durations.ts'
import type { CallingTimes } from '../../client/operations.ts'

interface OpenTime {
  readonly from: number
  readonly until: number
}

/** The steps of the slider. All times are epoch milliseconds. */
export interface SliderSlots {
  /** Now, by the clock of the service: that of this computer may be wrong. */
  readonly now: number
  /** The time of the first step. */
  readonly base: number
  readonly step: number
  readonly count: number
  readonly open: readonly OpenTime[]
}

const STEP = 15 * MINUTE

export const slotsOf = ({ from, until, times }: Pick<CallingTimes, 'from' | 'until' | 'times'>): SliderSlots => {
  const now = Date.parse(from)
  const base = now - (now % STEP)
  const open = times.map((time) => ({ from: Date.parse(time.from), until: Date.parse(time.until) }))
  return { now, base, step: STEP, count: Math.ceil((Date.parse(until) - base) / STEP), open }
}

export const isIn = ({ from, until }: OpenTime, at: number): boolean => from <= at && at < until

/** The last step that is not after a time. */
export const toSlot = ({ base, step }: SliderSlots, at: number): number => Math.floor((at - base) / step)
