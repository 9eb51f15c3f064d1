import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import type { Agent } from '../schema/configuration.ts'
import { realNow } from './clock.ts'
import { setting } from './environment.ts'

/**
 * What the agent's provider said of a request to place a call. `refused`: for certain, nobody's phone rings. `unclear`: it
 * may have been placed; only the same idempotency key may be sent again.
 */
export type Answer =
  | { readonly kind: 'accepted'; readonly provider_call_id: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string }

const Accepted = v.object({ provider_call_id: v.pipe(v.string(), v.minLength(1)) })

/** Answers in the four hundreds that do not mean no: time-out, conflict with the same request, too early, too many. */
const AMBIGUOUS = new Set([408, 409, 425, 429])

const signed = (agent: Agent, id: string, body: string): Record<string, string> => {
  const at = new Date(realNow())
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': agent.secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

const mayReach = (url: URL): boolean => url.protocol === 'https:' || setting('PRIVATE_HOSTS').includes(url.hostname)

const interpret = async (response: Response): Promise<Answer> => {
  if (response.ok) {
    const body = v.safeParse(Accepted, await response.json().catch(() => undefined))
    if (body.success) return { kind: 'accepted', provider_call_id: body.output.provider_call_id }
    return { kind: 'unclear', reason: `The provider answered ${response.status} without a provider_call_id.` }
  }
  await response.body?.cancel()
  const reason = `The provider answered ${response.status}.`
  const definite = response.status >= 300 && response.status < 500 && !AMBIGUOUS.has(response.status)
  return { kind: definite ? 'refused' : 'unclear', reason }
}

/** Asks the agent to place a call: an HTTPS POST, signed, `key` as its idempotency key; no answer within `timeout` ms is unclear. */
export const placeCall = async (agent: Agent, key: string, request: unknown, timeout: number): Promise<Answer> => {
  const url = new URL(agent.url)
  if (!mayReach(url)) return { kind: 'refused', reason: `The agent's address must be https, or a host that the deployment names.` }
  const body = JSON.stringify(request)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...signed(agent, key, body) },
      body,
    })
    return await interpret(response)
  } catch (error) {
    return { kind: 'unclear', reason: `The provider could not be asked: ${error instanceof Error ? error.message : 'unknown error'}` }
  }
}

/** Whether the agent signed a callback, not long ago. */
export const isSignedBy = (agent: Agent, body: string, headers: Readonly<Record<string, string>>): boolean =>
  agent.secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers)
      return true
    } catch {
      return false
    }
  })
