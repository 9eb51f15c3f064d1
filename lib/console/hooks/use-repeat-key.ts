import { useRef } from 'preact/hooks'
import { ApiError } from '../../client/api-error.ts'
import { mayBeHandled } from '../../client/retry.ts'

/** Whether the request was not made, and a repeat with the same key would only get the same answer. */
const isRefusal = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status < 500 && ![401, 409, 429].includes(failure.status)

interface Attempt {
  readonly text: string
  readonly key: string
  /** Why it is not known whether the request was made. */
  readonly unsure: unknown
}

const NONE: Attempt = { text: '', key: '', unsure: undefined }

type Send = <T>(body: unknown, request: (idempotencyKey: string) => Promise<T>) => Promise<T>

/**
 * Sends a body with an `Idempotency-Key`. The key stays while the body stays and is not refused, so that a form that is sent again creates
 * nothing twice.
 */
export const useRepeatKey = (): Send => {
  const attempt = useRef(NONE)
  return async (body, request) => {
    const text = JSON.stringify(body)
    if (attempt.current.text !== text) attempt.current = { ...NONE, text, key: crypto.randomUUID() }
    try {
      return await request(attempt.current.key)
    } catch (failure) {
      const { unsure = failure instanceof ApiError ? failure.cause : undefined } = attempt.current
      if (isRefusal(failure)) attempt.current = NONE
      else attempt.current = { ...attempt.current, unsure: unsure ?? (mayBeHandled(failure) ? failure : undefined) }
      if (failure instanceof ApiError && unsure !== undefined) failure.cause = unsure
      throw failure
    }
  }
}
