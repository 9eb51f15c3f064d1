import type { Json, Service } from '#test/support/service.ts'

const LIMIT_MS = 30_000

/** Asks with the first user's key, and an `Idempotency-Key` where `once` names one. @throws Error when the request is refused */
export const asking =
  ({ url, apiKey }: Service) =>
  async (method: string, path: string, body?: unknown, once?: string): Promise<Json> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Token ${apiKey}`, 'content-type': 'application/json', ...(once && { 'idempotency-key': once }) },
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<Json>
  }

/** They may be called at the time of the exercise. */
export const CALLED = { timezone: 'America/New_York' }
/** It is early in the morning there. */
export const NOT_CALLED = { timezone: 'Pacific/Honolulu' }
