import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { signatureHeaders } from '../../../platform/safe-fetch/signature-headers.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { NAME_LENGTH, reportedText } from '../../reported-text.ts'
import { healthOf } from '../../rules/breaker.ts'
import type { Adapter, Cancelled, Connection, DialAnswer, PlatformAnswer, PlatformRequest } from '../adapter.ts'

/** Our own protocol: an agent dials at most once for each idempotency key, and reports with signed requests. */

const signedJson = ({ secrets = [] }: Connection, url: string, key: string, content: unknown, at: Instant): PlatformRequest => {
  const body = JSON.stringify(content)
  const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...signatureHeaders(secrets, key, at, body) }
  return { method: 'POST', url, headers, body }
}

const Accepted = v.pipe(v.string(), v.parseJson(), v.object({ provider_call_id: v.pipe(reportedText(NAME_LENGTH), v.minLength(1)) }))

/** The form of a right answer, for the author of an agent. */
const EXAMPLE = '{"provider_call_id": "p-17"}'

/** 4xx answers that do not mean no: timeout, conflict with the same request, too early, too many requests. */
const AMBIGUOUS = new Set([408, 409, 425, 429])

const isRefusal = (status: number): boolean => status >= 300 && status < 500 && !AMBIGUOUS.has(status)

const classify = ({ status, text }: PlatformAnswer): DialAnswer => {
  if (status >= 200 && status < 300) {
    const { success, output } = v.safeParse(Accepted, text)
    if (success) return { kind: 'accepted', platformCallId: output.provider_call_id }
    return { kind: 'unclear', reason: `The provider answered ${status} without a provider_call_id: it must answer ${EXAMPLE}.` }
  }
  const said = { health: healthOf(status), reason: `The provider answered ${status}.` }
  return isRefusal(status) ? { kind: 'refused', fault: 'call', ...said } : { kind: 'unclear', ...said }
}

const cancelUrl = (api: string): string => {
  const url = new URL(api)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/cancel`
  return url.href
}

const cancelledBy = ({ status }: PlatformAnswer): Cancelled => {
  if (status >= 200 && status < 300) return 'taken'
  return isRefusal(status) ? 'refused' : 'failed'
}

/** Whether one of the secrets signed a body recently. */
export const isSignedWith = (secrets: readonly string[], body: string, headers: Readonly<Record<string, string>>): boolean =>
  secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false })
      return true
    } catch {
      return false
    }
  })

export const openAdapter: Adapter = {
  api: '',
  repeats: { kind: 'repeatable', seconds: 30 },
  request: (connection, { callId, briefing, intentTime }, at = intentTime) => signedJson(connection, connection.api, callId, briefing, at),
  classify,
  cancel: async (ask, connection, { callId, reason, at }) =>
    cancelledBy(await ask(signedJson(connection, cancelUrl(connection.api), `${callId}-cancel`, { call_id: callId, reason }, at))),
  verify: ({ secrets = [] }, { rawBody, headers }) => isSignedWith(secrets, rawBody, headers),
  // Reports of this protocol have a route of their own, for each call.
  translate: () => ({ callId: null, platformCallId: null, reports: [] }),
  check: async () => [],
}
