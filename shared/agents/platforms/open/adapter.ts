import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { signatureHeaders } from '../../../platform/safe-fetch/signature-headers.ts'
import { masked } from '../../../platform/values/masked.ts'
import type { Instant } from '../../../platform/values/values.ts'
import { NAME_LENGTH, reportedText } from '../../reported-text.ts'
import { healthOf } from '../../rules/breaker.ts'
import type { Adapter, Cancelled, Connection, DialAnswer, PlatformAnswer, PlatformRequest } from '../adapter.ts'
import { ifPresent, isAnyRefusal, isPlatformSuccess, ownWords, readPlatformAnswer } from '../read-answer.ts'

/** Our own protocol: an agent dials at most once for each idempotency key, and reports with signed requests. */

const signedJson = ({ secrets = [] }: Connection, url: string, key: string, content: unknown, at: Instant): PlatformRequest => {
  const body = JSON.stringify(content)
  const headers = { 'content-type': 'application/json', 'idempotency-key': key, ...signatureHeaders(secrets, key, at, body) }
  return { method: 'POST', url, headers, body }
}

const Accepted = v.pipe(v.string(), v.parseJson(), v.object({ provider_call_id: v.pipe(reportedText(NAME_LENGTH), v.minLength(1)) }))

/** An example of a correct answer, for the developer of an agent. */
const EXAMPLE = '{"provider_call_id": "p-17"}'

/** Whether a status proves a refusal. An agent with too many requests may place the call when it is asked again. */
const isRefusal = (status: number): boolean => isAnyRefusal(status) && status !== 429

/** Every user may read a reason, so the reason quotes only a plain media type. */
const typeOf = (contentType = ''): string => {
  const [type] = /^[a-z]+\/[a-z.+-]{1,40}(?=;|$)/i.exec(contentType) ?? []
  return type === undefined ? '' : ` (content type ${type})`
}

const Json = v.pipe(v.string(), v.parseJson())

const notAcceptable = ({ status, text, contentType }: PlatformAnswer): string =>
  text === '' || v.is(Json, text)
    ? `The provider answered ${status} without a provider_call_id: it must answer ${EXAMPLE}.`
    : `The provider answered ${status}, but not with JSON${typeOf(contentType)}: it must answer ${EXAMPLE}.`

const Text = ifPresent(v.string())
const Words = v.object({
  detail: Text,
  message: Text,
  reason: Text,
  error: ifPresent(v.union([v.string(), v.object({ message: v.string() })])),
})

/**
 * The platform's words from a refusal in JSON. Our protocol requires none. Any other text, such as the page of a proxy, says nothing about
 * the call.
 */
const wordsIn = (text: string): string | undefined => {
  const json = v.safeParse(Json, text)
  if (!json.success || typeof json.output !== 'object' || json.output === null || Object.keys(json.output).length === 0) return undefined
  const { detail, message, reason, error } = readPlatformAnswer(Words, text) ?? {}
  return masked(detail || message || reason || (typeof error === 'string' ? error : error?.message) || JSON.stringify(json.output))
}

const hintAt = (status: number): string => {
  if (status === 401) return ' It refused the signature, perhaps because it has another secret.'
  return status >= 300 && status < 400 ? " Redirects are not followed: correct the agent's URL." : ''
}

const classify = (answer: PlatformAnswer): DialAnswer => {
  const { status, text } = answer
  if (isPlatformSuccess(status)) {
    const { success, output } = v.safeParse(Accepted, text)
    return success ? { kind: 'accepted', platformCallId: output.provider_call_id } : { kind: 'unclear', reason: notAcceptable(answer) }
  }
  const said = { health: healthOf(status), reason: `The provider answered ${status}.${hintAt(status)}`, ...ownWords(wordsIn(text)) }
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
}
