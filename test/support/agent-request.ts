import { Webhook } from 'standardwebhooks'

/** A request signed by a voice agent, in the form that `request` takes. */
export const agentRequest = (secret: string, path: string, body: unknown, parameters: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const at = new Date(Date.now())
  return {
    method: 'POST',
    path,
    parameters,
    headers: {
      'webhook-id': 'message',
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign('message', at, text),
    },
    body: text,
  }
}
