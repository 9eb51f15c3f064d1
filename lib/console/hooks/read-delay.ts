import { ApiError } from '../../client/api-error.ts'
import { delayToNextAttempt, sleep } from '../../client/retry.ts'
import { createStore } from '../store.ts'

/** Milliseconds until a read is tried again, however long the service asks to wait. Undefined: another attempt would not help. */
export const readDelay = (failure: unknown, attempt: number): number | undefined => {
  if (failure instanceof ApiError && failure.status === 429 && failure.retryAfterSeconds !== undefined)
    return failure.retryAfterSeconds * 1000
  return delayToNextAttempt({ attempt, failure, isRepeatable: true })
}

const wishes = createStore(0)

/** Ends the waits of all failed reads. */
export const readAgainNow = (): void => wishes.set(wishes.get() + 1)

/** Waits until a failed read is tried again. @throws the signal's reason */
export const waitToRead = async (delay: number, signal: AbortSignal): Promise<void> => {
  const early = new AbortController()
  const end = wishes.subscribe(() => early.abort())
  try {
    await sleep(delay, AbortSignal.any([signal, early.signal]))
  } catch {
    signal.throwIfAborted()
  } finally {
    end()
  }
}
