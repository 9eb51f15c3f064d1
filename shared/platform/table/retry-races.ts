import { setTimeout as sleep } from 'node:timers/promises'
import { RaceLostError } from '../transient-errors.ts'

const PAUSE = 30

export interface Races {
  /** Most tries. */
  readonly tries: number
  /** Error message when every try was lost; ` 50 times.` is appended. */
  readonly lost: string
  /** Milliseconds, multiplied by a random part: the pause after a lost race. Default: 30. */
  readonly pause?: number
}

/**
 * Runs an attempt that reads, decides and writes. When others write at the same time, it runs again from the start after a random pause.
 * @param attempt returns undefined when it has lost; its argument is the number of lost attempts
 * @throws RaceLostError when every attempt was lost
 */
export const retryRaces = async <T>(
  { tries, lost, pause = PAUSE }: Races,
  attempt: (before: number) => Promise<T | undefined>,
): Promise<T> => {
  for (let before = 0; before < tries; before++) {
    const result = await attempt(before)
    if (result !== undefined) return result
    await sleep(Math.random() * pause)
  }
  throw new RaceLostError(`${lost} ${tries} times.`)
}
