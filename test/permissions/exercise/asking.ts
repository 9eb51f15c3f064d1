import type { Json, Service } from '#test/support/service.ts'

const LIMIT_MS = 30_000

/** Sends a request with the first user's key, and with `once` as its `Idempotency-Key`. @throws Error when it is refused */
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

/** Leads that may be called during the exercise. */
export const CALLED = { timezone: 'America/New_York' }
/** Leads in a zone where it is early morning. */
export const NOT_CALLED = { timezone: 'Pacific/Honolulu' }
