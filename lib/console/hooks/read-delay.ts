import { ApiError } from '../../client/api-error.ts'
import { delayToNextAttempt } from '../../client/retry.ts'
import { createWake } from './wake.ts'

/** Milliseconds until a read is tried again, however long the service asks to wait. Undefined: another attempt would not help. */
export const readDelay = (failure: unknown, attempt: number): number | undefined => {
  if (failure instanceof ApiError && failure.status === 429 && failure.retryAfterSeconds !== undefined)
    return failure.retryAfterSeconds * 1000
  return delayToNextAttempt({ attempt, failure, isRepeatable: true })
}

/** Readers whose last attempt failed wait here. Its call tries them again at once. */
export const failedReads = createWake()
