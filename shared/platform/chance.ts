let source = Math.random

/** A random number from 0 to 1, 1 excluded. */
export const chance = (): number => source()

/** Replaces chance: in a test, the same requests do the same work each time. */
export const useChance = (replacement: () => number): void => {
  source = replacement
}
