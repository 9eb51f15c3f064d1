import { MINUTE } from '#shared/platform/values/durations.ts'
import { sleep } from '../../client/retry.ts'
import { createWake } from './wake.ts'

/** Milliseconds without a touch, a key or a changed answer, after which polls become rarer. */
const QUIET_AFTER = 3 * MINUTE
/** Milliseconds of the longest pause, unless the usual one is longer. */
const LONGEST = 2 * MINUTE

const activity = createWake()
let activeAt = performance.now()

const noteActivity = (): void => {
  activeAt = performance.now()
  activity.call()
}

for (const event of ['pointerdown', 'pointermove', 'wheel', 'keydown', 'visibilitychange'])
  addEventListener(event, noteActivity, { capture: true, passive: true })

/** The pace of the polls of one query. Its pauses grow while nothing happens: a forgotten tab must not use up the allowance of its user. */
export const newPollPace = () => {
  let changedAt = performance.now()
  let last: Headers | undefined
  let wasSame = false
  return {
    /** Takes note of an answer. The client gives the same object again when the service says that nothing has changed. */
    note: ({ headers }: { readonly headers: Headers }): void => {
      const isSame = headers === last
      if (!isSame) changedAt = performance.now()
      // Answers that always differ, such as those with the present time, are no news for the other queries.
      if (!isSame && wasSame) noteActivity()
      wasSame = isSame
      last = headers
    },
    /** Waits until the next poll. @throws the signal's reason */
    rest: async (pause: number, signal: AbortSignal): Promise<void> => {
      await sleep(pause, signal)
      const quiet = performance.now() - Math.max(changedAt, activeAt)
      const longer = Math.min(LONGEST, pause * (quiet / QUIET_AFTER)) - pause
      if (quiet > QUIET_AFTER && longer > 0) await activity.wait(longer, signal)
    },
  }
}
