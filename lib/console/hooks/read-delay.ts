import { ApiError } from '../../client/api-error.ts'
import { delayToNextAttempt } from '../../client/retry.ts'

/** Milliseconds until a read is tried again, however long the service asks to wait. Undefined: another attempt would not help. */
export const readDelay = (failure: unknown, attempt: number): number | undefined => {
  if (failure instanceof ApiError && failure.status === 429 && failure.retryAfterSeconds !== undefined)
    return failure.retryAfterSeconds * 1000
  return delayToNextAttempt({ attempt, failure, isRepeatable: true })
}
