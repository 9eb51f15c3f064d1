import { setTimeout as sleep } from 'node:timers/promises'
import { realNow } from '../clock.ts'
import { RaceLostError } from '../transient-errors.ts'

const PAUSE = 30
/** The most that a growing pause grows. */
const GROWTH = 16

export interface Races {
  /** Most tries. */
  readonly tries: number
  /** Error message when every try was lost; ` 50 times.` is appended. */
  readonly lost: string
  /** Milliseconds, multiplied by a random part: the pause after a lost race. Default: 30. */
  readonly pause?: number
  /** Whether the pause doubles with each lost race, so that many losers do not collide again. Default: no. */
  readonly isGrowing?: boolean
  /** By the machine's clock: the deadline. A race that is lost after it is the last one. Default: none. */
  readonly giveUpAt?: number
}

/**
 * Runs an attempt that reads, decides and writes. When others write at the same time, it runs again from the start after a random pause.
 * @param attempt returns undefined when it has lost; its argument is the number of lost attempts
 * @throws RaceLostError when every attempt was lost, or the deadline has passed
 */
export const retryRaces = async <T>(
  { tries, lost, pause = PAUSE, isGrowing = false, giveUpAt = Number.POSITIVE_INFINITY }: Races,
  attempt: (before: number) => Promise<T | undefined>,
): Promise<T> => {
  for (let before = 0; ; before++) {
    const result = await attempt(before)
    if (result !== undefined) return result
    if (before + 1 >= tries || realNow() > giveUpAt) throw new RaceLostError(`${lost} ${before + 1} times.`)
    if (pause > 0) await sleep(Math.random() * pause * (isGrowing ? Math.min(2 ** before, GROWTH) : 1))
  }
}
