import type { PlatformCallback } from '#shared/agents/platforms/adapter.ts'
import { now } from '#shared/platform/clock.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { dieAfter } from '#test/support/die-after.ts'
import type { DialFault } from '#test/support/platforms/emulator.ts'
import type { Chance } from '../../lateness/chance.ts'
import type { LineUp } from './line-up.ts'

/** Shares of what goes wrong. */
export interface Luck {
  /** Requests whose answer is lost, before or after the dial, or is no answer. */
  readonly dials: number
  /** Callbacks that are lost. As many come twice. */
  readonly callbacks: number
  /** Messages that come twice. */
  readonly messages: number
  /** Runs of a function that die. */
  readonly runs: number
}

const BAD: Luck = { dials: 0.5, callbacks: 0.3, messages: 0.25, runs: 0.2 }
export const GOOD: Luck = { dials: 0, callbacks: 0, messages: 0, runs: 0 }

/** Milliseconds that a callback is under way. Thus they overtake each other. */
const WAY = [0, 90 * SECOND] as const
/** Most writes of a run before it dies. */
const MOST_WRITES = 9

const DIAL_FAULTS: readonly DialFault[] = ['lost-before', 'lost-after', 'lost-after', { status: 503 }]

interface Coming {
  readonly callback: PlatformCallback
  readonly at: number
}

/** The faults of a round, as `luck` sets them at the moment. */
export const badLuck = (chance: Chance) => {
  let luck = BAD
  let coming: Coming[] = []
  let death = Promise.resolve()
  const counts = { died: 0, lost: 0, doubled: 0 }
  return {
    counts,
    turn: (to: Luck): void => {
      luck = to
    },
    /** Draws what happens to the next dials of each platform. */
    drawDials: ({ agents }: LineUp): void => {
      for (const { emulator } of agents.values()) {
        const isFaulty = chance.happens(luck.dials)
        emulator.dialFault = isFaulty ? (DIAL_FAULTS[Math.floor(chance.between(0, DIAL_FAULTS.length))] ?? 'none') : 'none'
      }
    },
    /** Sends callbacks on their way. */
    send: (callbacks: readonly PlatformCallback[]): void => {
      for (const callback of callbacks) {
        const isLost = chance.happens(luck.callbacks)
        const copies = isLost ? 0 : chance.happens(luck.callbacks) ? 2 : 1
        counts.lost += isLost ? 1 : 0
        for (let copy = 0; copy < copies; copy++) coming.push({ callback, at: Math.round(now() + chance.between(...WAY)) })
      }
    },
    /** When the next callback arrives. */
    next: (): number => Math.min(...coming.map(({ at }) => at)),
    arrived: (): PlatformCallback[] => {
      const here = coming.filter(({ at }) => at <= now())
      coming = coming.filter(({ at }) => at > now())
      return here.map(({ callback }) => callback)
    },
    isTwice: (): boolean => {
      const isTwice = chance.happens(luck.messages)
      counts.doubled += isTwice ? 1 : 0
      return isTwice
    },
    isDying: (): boolean => chance.happens(luck.runs),
    /** One death after the other: each meets everything that runs at that moment. */
    dying: (run: () => Promise<unknown>): Promise<void> => {
      const die = async () => {
        if (await dieAfter(Math.floor(chance.between(0, MOST_WRITES)), run)) counts.died++
      }
      death = death.then(die)
      return death
    },
  }
}
