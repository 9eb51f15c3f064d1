import { setTimeout as sleep } from 'node:timers/promises'

/** Stops waiting for a condition that never becomes true. Milliseconds. High, because machines can be slow and busy. */
const LIMIT_MS = 400_000
const PITCH_MS = 20

/** Waits until `condition` holds. Throws after `LIMIT_MS`. */
export const eventually = async (condition: () => unknown): Promise<void> => {
  const end = performance.now() + LIMIT_MS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`It did not come true within ${LIMIT_MS / 1000} s: ${condition}`)
    await sleep(PITCH_MS)
  }
}

/** Repeats a question until the answer is wanted, or `LIMIT_MS` is over. @returns the last answer, wanted or not */
export const until = async <T>(ask: () => Promise<T> | T, wanted: (answer: T) => boolean): Promise<T> => {
  const end = performance.now() + LIMIT_MS
  for (;;) {
    const answer = await ask()
    if (wanted(answer) || performance.now() > end) return answer
    await sleep(PITCH_MS)
  }
}
