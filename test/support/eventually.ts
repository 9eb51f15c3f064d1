import { setTimeout as sleep } from 'node:timers/promises'

/** The last resort against a condition that never comes true. Long, because machines may be slow, and do other things beside. */
const LIMIT_MS = 400_000
const PITCH_MS = 20

/** Waits until `condition` holds. Fails only when it does not for many minutes. */
export const eventually = async (condition: () => unknown): Promise<void> => {
  const end = performance.now() + LIMIT_MS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`It did not come true within ${LIMIT_MS / 1000} s: ${condition}`)
    await sleep(PITCH_MS)
  }
}

/** Asks until the answer is as wanted, for many minutes. @returns the last answer, wanted or not */
export const until = async <T>(ask: () => Promise<T> | T, wanted: (answer: T) => boolean): Promise<T> => {
  const end = performance.now() + LIMIT_MS
  for (;;) {
    const answer = await ask()
    if (wanted(answer) || performance.now() > end) return answer
    await sleep(PITCH_MS)
  }
}
