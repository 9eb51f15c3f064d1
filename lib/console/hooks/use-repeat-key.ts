import { useRef } from 'preact/hooks'
import { ApiError } from '../../client/api-error.ts'

/** Whether the request was not made, and a repeat with the same key would only get the same answer. */
const isRefusal = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status < 500 && ![401, 409, 429].includes(failure.status)

const NONE = { text: '', key: '' }

type Send = <T>(body: unknown, request: (idempotencyKey: string) => Promise<T>) => Promise<T>

/**
 * Sends a body with an `Idempotency-Key`. The key stays while the body stays and is not refused, so that a form that is sent again creates
 * nothing twice.
 */
export const useRepeatKey = (): Send => {
  const attempt = useRef(NONE)
  return async (body, request) => {
    const text = JSON.stringify(body)
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() }
    try {
      return await request(attempt.current.key)
    } catch (failure) {
      if (isRefusal(failure)) attempt.current = NONE
      throw failure
    }
  }
}
