import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '../clock.ts'
import { SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'
import { ownerAtWork, whenBusy } from './busy.ts'

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
 * The pace after a refusal. As in TCP, the rate falls. Then it doubles each second, up to half of the rate that was too high. From there it
 * grows slowly. So this work gives way to work that keeps no pace, and seldom asks too much of the table again.
 */
export const slowedPace = (pace: BusyPace, { least, kept }: BusyPaceLimits, at: Instant): BusyPace => {
  const { rate, threshold, fellAt } = pace
  // Within a second after a fall, the refused tries belong to what was begun before. The clock may have been set back.
  if (at >= fellAt && at - fellAt < SECOND) return { ...pace, changedAt: at }
  const high = rate > least ? Math.max(least, rate / 2) : threshold
  return { rate: Math.max(least, kept * rate), threshold: high, changedAt: at, fellAt: at }
}

/** The pace after some time without a refusal. An idle process recovers too. */
export const grownPace = (pace: BusyPace, { most }: BusyPaceLimits, at: Instant): BusyPace => {
  const { threshold, changedAt } = pace
  const seconds = Math.floor((at - changedAt) / SECOND)
  let rate = Math.min(pace.rate, most)
  for (let second = 0; second < seconds && rate < most; second++)
    rate = Math.min(most, rate < threshold ? Math.min(2 * rate, threshold) : rate + most / STEPS)
  return { ...pace, rate, changedAt: changedAt + seconds * SECOND }
}

/** A process may catch up on the turns that it missed within this time. So a short pause costs no turns. */
const MADE_UP = SECOND / 4
/** A waiting turn looks this often whether the rate has changed. */
const LOOK = SECOND / 2
/** Turns that come within this time come together, so that rows share the requests for their ids and list positions. */
const TOGETHER = SECOND / 10

/** Gives turns one after the other, at a pace that falls and grows. */
const newTurns = (limits: BusyPaceLimits, first: BusyPace) => {
  let pace = first
  let last = 0
  let waiting = 0
  let queue: Promise<unknown> = Promise.resolve()

  const paceAt = (at: Instant): BusyPace => {
    pace = grownPace(pace, limits, at)
    return pace
  }
  const turn = async (giveUpAt: Instant): Promise<boolean> => {
    for (;;) {
      const at = realNow()
      if (at > giveUpAt) return false
      // The clock may have been set back.
      const next = Math.max(Math.min(last, at) + SECOND / paceAt(at).rate, at - MADE_UP)
      if (next <= at) {
        last = next
        return true
      }
      await sleep(Math.min(Math.max(next - at, TOGETHER), LOOK))
    }
  }
  return {
    paceAt,
    isIdle: (): boolean => waiting === 0,
    slow: (at: Instant): void => {
      pace = slowedPace(paceAt(at), limits, at)
    },
    /** `then`: the next turn is given after it. */
    take: (giveUpAt: Instant, then = async (): Promise<boolean> => true): Promise<boolean> => {
      waiting++
      const taken = queue.then(async () => (await turn(giveUpAt)) && then()).finally(() => waiting--)
      queue = taken
      return taken
    },
  }
}

/**
 * Paces what a process begins by the answers of a busy table. All reads and writes of the process count. Work for an owner needs a turn of
 * this owner, and then one of all. So if the table refuses only the work of one owner, only this owner slows down. At most one of an owner's
 * turns waits for one of all, so that owners share these.
 * @returns a function that waits for a turn. It returns false when none has come until then, by the machine's clock
 */
export const newBusyPace = (limits: BusyPaceLimits): ((giveUpAt: Instant) => Promise<boolean>) => {
  const all = newTurns(limits, { rate: limits.start, threshold: Number.POSITIVE_INFINITY, changedAt: realNow(), fellAt: 0 })
  const owners = new Map<number, ReturnType<typeof newTurns>>()

  const turnsOf = (owner: number): ReturnType<typeof newTurns> => {
    const at = realNow()
    const pace = all.paceAt(at)
    // Forget owners that are no slower than all.
    for (const [id, turns] of owners) if (turns.isIdle() && turns.paceAt(at).rate >= pace.rate) owners.delete(id)
    const turns = owners.get(owner) ?? newTurns(limits, pace)
    owners.set(owner, turns)
    return turns
  }
  whenBusy((owner, at) => (owner === undefined ? all : turnsOf(owner)).slow(at))
  return (giveUpAt) => {
    const owner = ownerAtWork()
    return owner === undefined ? all.take(giveUpAt) : turnsOf(owner).take(giveUpAt, () => all.take(giveUpAt))
  }
}
