import type { Connection, Dial, PlatformRequest } from '../adapter.ts'

/** With a body the request changes something; without one it reads. */
export const elevenLabsRequest = ({ api, apiKey }: Connection, path: string, body?: object): PlatformRequest => {
  const url = `${api}/v1${path}`
  if (!body) return { method: 'GET', url, headers: { 'xi-api-key': apiKey } }
  return { method: 'POST', url, headers: { 'xi-api-key': apiKey, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** Names of variables that ElevenLabs keeps for itself. */
const isReserved = (name: string): boolean => name.startsWith('system__')

/** An agent ends a conversation after the duration in its own settings. Only an agent whose settings permit it accepts another duration. */
const durationOf = ({ settings }: Connection, { longestSeconds }: Dial) =>
  settings['limit_duration'] === 'true' ? { conversation_config_override: { conversation: { max_duration_seconds: longestSeconds } } } : {}

export const dialElevenLabs = (connection: Connection, dial: Dial): PlatformRequest => {
  const variables = Object.entries(dial.variables).filter(([name]) => !isReserved(name))
  const telephony = connection.settings['telephony'] === 'sip-trunk' ? 'sip-trunk' : 'twilio'
  return elevenLabsRequest(connection, `/convai/${telephony}/outbound-call`, {
    agent_id: connection.assistant,
    agent_phone_number_id: dial.from.id ?? '',
    to_number: dial.to,
    conversation_initiation_client_data: {
      // ElevenLabs can search conversations by this id.
      user_id: dial.callId,
      dynamic_variables: { ...Object.fromEntries(variables), call_id: dial.callId },
      ...durationOf(connection, dial),
    },
  })
}
