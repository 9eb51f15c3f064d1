import { ApiError } from './api-error.ts'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 8000

/** A longer `Retry-After`, such as that of a day's allowance, is left to the caller. */
const LONGEST_RETRY_AFTER_SECONDS = 60

/** Doubles from attempt to attempt. Half of it is random, so that clients that failed together do not return together. */
const backoff = (attempt: number, random: number): number => Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + random / 2)

const mayRepeat = (failure: unknown, isRepeatable: boolean): boolean => {
  if (!(failure instanceof ApiError)) return isRepeatable
  // It was not handled.
  if (failure.status === 429) return true
  // An earlier attempt is still being handled. A 409 without Retry-After is a refusal, which a repeat would override.
  const isInProgress = failure.status === 409 && failure.retryAfterSeconds !== undefined
  return isRepeatable && (failure.status >= 500 || isInProgress)
}

export interface FailedAttempt {
  /** Counted from 0. */
  readonly attempt: number
  /** An `ApiError`, or the reason why there was no answer. */
  readonly failure: unknown
  /** Whether handling the request twice has the effect of once. */
  readonly isRepeatable: boolean
}

/** Milliseconds until the next attempt. Undefined: there should be none. */
export const delayToNextAttempt = (
  { attempt, failure, isRepeatable }: FailedAttempt,
  random: number = Math.random(),
): number | undefined => {
  if (!mayRepeat(failure, isRepeatable)) return undefined
  const asked = failure instanceof ApiError ? failure.retryAfterSeconds : undefined
  if (asked === undefined) return backoff(attempt, random)
  return asked > LONGEST_RETRY_AFTER_SECONDS ? undefined : (asked + random) * 1000
}

/** Waits, unless the signal aborts. @throws the signal's reason */
export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
