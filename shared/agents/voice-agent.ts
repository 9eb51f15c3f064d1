import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import type { Agent } from '../accounts/configuration.ts'
import { signedPost } from '../platform/safe-fetch/signed-post.ts'
import { SECOND } from '../platform/values/durations.ts'
import { NAME_LENGTH, reportedText } from './reported-text.ts'
import { type Health, healthOf } from './rules/breaker.ts'

/**
 * The provider's answer to a request to place a call.
 * - `refused`: certainly, no phone rings.
 * - `unsent`: no phone rings either, because no byte of the request was sent.
 * - `unclear`: the call may have been placed. Only a retry with the same idempotency key is safe.
 * - `health`: the health that the answer shows of the agent as a whole.
 */
export type AgentAnswer = { readonly health: Health } & (
  | { readonly kind: 'accepted'; readonly provider_call_id: string }
  | { readonly kind: 'refused' | 'unsent'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }
)

/** Milliseconds. A timeout shorter than this does not count as a failure of the agent. */
const FAIR_TIME = 2 * SECOND

const Accepted = v.pipe(v.string(), v.parseJson(), v.object({ provider_call_id: v.pipe(reportedText(NAME_LENGTH), v.minLength(1)) }))

/** 4xx answers that do not mean no: timeout, conflict with the same request, too early, too many requests. */
const AMBIGUOUS = new Set([408, 409, 425, 429])

const interpret = (status: number, text: string): AgentAnswer => {
  if (status >= 200 && status < 300) {
    const body = v.safeParse(Accepted, text)
    if (body.success) return { kind: 'accepted', health: 'sound', provider_call_id: body.output.provider_call_id }
    return { kind: 'unclear', health: 'failing', reason: `The provider answered ${status} without a provider_call_id.` }
  }
  const definite = status >= 300 && status < 500 && !AMBIGUOUS.has(status)
  return { kind: definite ? 'refused' : 'unclear', health: healthOf(status), reason: `The provider answered ${status}.` }
}

/**
 * Asks the agent to place a call, with a signed POST over HTTPS. `key`: the idempotency key. Without an answer within `timeout`
 * milliseconds, the result is unclear.
 */
export const placeCall = async ({ url, secrets }: Agent, key: string, request: unknown, timeout: number): Promise<AgentAnswer> => {
  const answer = await signedPost({ url, secrets, key, body: request, timeout })
  if (answer.kind === 'answered') return interpret(answer.status, answer.text)
  const health = timeout < FAIR_TIME ? 'unsaid' : 'failing'
  return { kind: answer.kind, health, reason: `The provider could not be reached: ${answer.reason}` }
}

/** `failed`: the request may be retried. */
export type CancelAnswer = { readonly kind: 'taken' | 'refused' | 'failed'; readonly reason: string }

const CANCEL_TIMEOUT = 5 * SECOND

const cancelUrl = (agent: Agent): string => {
  const url = new URL(agent.url)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/cancel`
  return url.href
}

/** Asks the agent to cancel a call that nobody has answered yet. Safe to repeat. */
export const cancelCall = async (agent: Agent, callId: string, reason: string): Promise<CancelAnswer> => {
  const body = { call_id: callId, reason }
  const answer = await signedPost({
    url: cancelUrl(agent),
    secrets: agent.secrets,
    key: `${callId}-cancel`,
    body,
    timeout: CANCEL_TIMEOUT,
  })
  if (answer.kind !== 'answered') return { kind: 'failed', reason: answer.reason }
  const { status } = answer
  const kind = status >= 200 && status < 300 ? 'taken' : status >= 300 && status < 500 && !AMBIGUOUS.has(status) ? 'refused' : 'failed'
  return { kind, reason: `The provider answered ${status}.` }
}

/** Whether the agent signed a callback recently. */
export const isSignedBy = (agent: Agent, body: string, headers: Readonly<Record<string, string>>): boolean =>
  agent.secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false })
      return true
    } catch {
      return false
    }
  })
