import { type Json, type Service, until } from '#test/support/service.ts'

const LIMIT_MS = 400_000

/** Sends a request with the first user's key, and with `once` as its `Idempotency-Key`. @throws Error when it is refused */
export const asking =
  ({ url, apiKey }: Pick<Service, 'url' | 'apiKey'>) =>
  async (method: string, path: string, body?: unknown, once?: string): Promise<Json> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Token ${apiKey}`, 'content-type': 'application/json', ...(once && { 'idempotency-key': once }) },
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
    return JSON.parse(text || '{}')
  }
export type Asked = ReturnType<typeof asking>

/** Leads that may be called during the exercise. */
export const CALLED = { timezone: 'America/New_York' }
/** Leads in a zone where it is early morning. */
export const NOT_CALLED = { timezone: 'Pacific/Honolulu' }

/** Last digits of a number. The agent accepts calls to it and reports nothing more. */
export const SILENT = '0011'

/** Waits until a lead has a call like this. @returns the call's id */
const callOf = async (asked: Asked, lead: number, isLike: (status: string) => boolean): Promise<string> => {
  const like = (calls: Json) => (calls['results'] as Json[]).find((call) => isLike(`${call['call_status']}`))
  const found = like(
    await until(
      () => asked('GET', `/api/leads/${lead}/calls/`),
      (calls) => like(calls) !== undefined,
    ),
  )
  if (!found) throw new Error(`Lead ${lead} has no such call.`)
  return `${found['call_id']}`
}

export const begun = (asked: Asked, lead: number) => callOf(asked, lead, () => true)
export const underWay = (asked: Asked, lead: number) => callOf(asked, lead, (status) => ['DIALING', 'IN_PROGRESS'].includes(status))
export const called = (asked: Asked, lead: number) => callOf(asked, lead, (status) => status === 'COMPLETED')
