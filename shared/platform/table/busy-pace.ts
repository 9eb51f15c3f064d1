import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '../clock.ts'
import { SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'
import { busyAnswers } from './busy.ts'

/** How many things a process begins in a second. */
interface BusyPaceLimits {
  /** The rate of a new process. */
  readonly start: number
  readonly least: number
  readonly most: number
  /** The part of the rate that is kept after the table was too busy. */
  readonly kept: number
}

/** Above the threshold, the rate grows by a part of its limit each second. */
const STEPS = 100

export interface BusyPace {
  readonly rate: number
  /** Below this rate, the rate doubles each second. */
  readonly threshold: number
  readonly changedAt: Instant
  readonly fellAt: Instant
}

/**
 * As in TCP, the rate falls after a refusal. Then it doubles each second, up to half of the rate that was too high. From there it grows
 * slowly. So this work gives way to work that keeps no pace, and seldom asks too much of the table again.
 */
export const nextBusyPace = (pace: BusyPace, { least, most, kept }: BusyPaceLimits, isRefused: boolean, at: Instant): BusyPace => {
  const { rate, threshold, changedAt, fellAt } = pace
  // Within a second after a fall, the refused tries belong to what was begun before. The clock may have been set back.
  if (isRefused && at >= fellAt && at - fellAt < SECOND) return { ...pace, changedAt: at }
  if (isRefused) {
    const high = rate > least ? Math.max(least, rate / 2) : threshold
    return { rate: Math.max(least, kept * rate), threshold: high, changedAt: at, fellAt: at }
  }
  const seconds = Math.floor((at - changedAt) / SECOND)
  let grown = Math.min(rate, most)
  // An idle process recovers too.
  for (let second = 0; second < seconds && grown < most; second++)
    grown = Math.min(most, grown < threshold ? Math.min(2 * grown, threshold) : grown + most / STEPS)
  return { ...pace, rate: grown, changedAt: changedAt + seconds * SECOND }
}

/** A process may catch up on the turns that it missed within this time. So a short pause costs no turns. */
const MADE_UP = SECOND / 4
/** A waiting turn looks this often whether the rate has changed. */
const LOOK = SECOND / 2
/** Turns that come within this time come together, so that rows share the requests for their ids and list positions. */
const TOGETHER = SECOND / 10

/**
 * Paces what a process begins by the answers of a busy table. All reads and writes of the process count.
 * @returns a function that waits for a turn. It returns false when none has come until then, by the machine's clock
 */
export const newBusyPace = (limits: BusyPaceLimits): ((giveUpAt: Instant) => Promise<boolean>) => {
  let pace: BusyPace = { rate: limits.start, threshold: Number.POSITIVE_INFINITY, changedAt: realNow(), fellAt: 0 }
  let seen = busyAnswers.count
  let last = 0
  let queue: Promise<boolean> = Promise.resolve(true)

  const takeTurn = async (giveUpAt: Instant): Promise<boolean> => {
    for (;;) {
      const at = realNow()
      if (at > giveUpAt) return false
      const isRefused = busyAnswers.count > seen
      seen = busyAnswers.count
      if (isRefused) pace = nextBusyPace(pace, limits, true, busyAnswers.at)
      pace = nextBusyPace(pace, limits, false, at)
      // The clock may have been set back.
      const turn = Math.max(Math.min(last, at) + SECOND / pace.rate, at - MADE_UP)
      if (turn <= at) {
        last = turn
        return true
      }
      await sleep(Math.min(Math.max(turn - at, TOGETHER), LOOK))
    }
  }
  return (giveUpAt) => {
    queue = queue.then(() => takeTurn(giveUpAt))
    return queue
  }
}
