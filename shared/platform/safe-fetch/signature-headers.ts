import { Webhook } from 'standardwebhooks'
import type { Instant } from '../values/values.ts'

/** Signature headers of Standard Webhooks. `secrets`: newest first; each of them signs. @throws Error when a secret is malformed */
export const signatureHeaders = (secrets: readonly string[], id: string, at: Instant, body: string) => {
  const time = new Date(at)
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at / 1000)}`,
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(' '),
  }
}
