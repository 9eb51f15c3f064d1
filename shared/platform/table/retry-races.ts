import { setTimeout as sleep } from 'node:timers/promises'
import { RaceLostError } from '../transient-errors.ts'

const PAUSE = 30

export interface Races {
  /** How often to try, at most. */
  readonly tries: number
  /** What is said, before `50 times.`, when every try was lost. */
  readonly lost: string
  /** Milliseconds, times a random part: how long the loser of a race waits. Default: 30. */
  readonly pause?: number
}

/**
 * Runs what reads, decides and writes – again from the start while somebody else writes meanwhile, after a pause of random length.
 * @param attempt answers undefined when it has lost; told how many were lost before
 * @throws RaceLostError when it has lost every time
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
