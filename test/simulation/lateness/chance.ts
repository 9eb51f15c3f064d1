import { randomFrom } from '../torture/mayhem.ts'

/** Random numbers that a seed repeats. */
export interface Chance {
  /** At least 0, less than 1. */
  readonly next: () => number
  between(least: number, most: number): number
  happens(share: number): boolean
}

export const chanceFrom = (seed: number): Chance => {
  const next = randomFrom(seed)
  return {
    next,
    between: (least, most) => least + (most - least) * next(),
    happens: (share) => share > 0 && next() < share,
  }
}
