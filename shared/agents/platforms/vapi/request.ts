import type { Connection, Dial, PlatformRequest } from '../adapter.ts'

/** A request to Vapi's API. */
export const vapiRequest = (
  { api, apiKey }: Pick<Connection, 'api' | 'apiKey'>,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): PlatformRequest => ({
  method,
  url: `${api}${path}`,
  headers: { authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
  ...(body !== undefined && { body: JSON.stringify(body) }),
})

/** Without this plan, Vapi does not retry a callback. */
const BACKOFF = { type: 'exponential', maxRetries: 6, baseDelaySeconds: 2 }

/** Seconds. The durations that Vapi accepts. */
const SHORTEST = 10
const LONGEST = 43_200

const voicemail = ({ voicemail_detection: provider, voicemail_message: voicemailMessage }: Connection['settings']) => ({
  ...(provider && { voicemailDetection: provider === 'off' ? provider : { provider } }),
  ...(voicemailMessage && { voicemailMessage }),
})

/** The request to place a call. Our id of the call is its name, and in its metadata. */
export const vapiDial = (connection: Connection, dial: Dial): PlatformRequest => {
  const { credential_id: credentialId } = connection.settings
  return vapiRequest(connection, 'POST', '/call', {
    name: dial.callId,
    assistantId: connection.assistant,
    phoneNumberId: dial.from.id ?? undefined,
    customer: { number: dial.to },
    assistantOverrides: {
      variableValues: dial.variables,
      metadata: { call_id: dial.callId },
      maxDurationSeconds: Math.min(Math.max(dial.longestSeconds, SHORTEST), LONGEST),
      ...(dial.callbackUrl !== null && {
        server: { url: dial.callbackUrl, ...(credentialId && { credentialId }), backoffPlan: BACKOFF },
      }),
      serverMessages: ['status-update', 'end-of-call-report', 'tool-calls', 'transfer-update'],
      ...voicemail(connection.settings),
    },
  })
}
