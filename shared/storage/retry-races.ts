import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds, times a random part: how long the loser of a race waits. */
const PAUSE = 30

export interface Races {
  /** How often to try, at most. */
  readonly tries: number
  /** What is said, before `50 times.`, when every try was lost. */
  readonly lost: string
}

/**
 * Runs what reads, decides and writes – again from the start while somebody else writes meanwhile, after a pause of random length.
 * @param attempt answers undefined when it has lost
 * @throws Error when it has lost every time
 */
export const retryRaces = async <T>({ tries, lost }: Races, attempt: () => Promise<T | undefined>): Promise<T> => {
  for (let tried = 0; tried < tries; tried++) {
    const result = await attempt()
    if (result !== undefined) return result
    await sleep(Math.random() * PAUSE)
  }
  throw new Error(`${lost} ${tries} times.`)
}
