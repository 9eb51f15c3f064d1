import type { Connection, Dial, PlatformRequest } from '../adapter.ts'
import { dialKey } from '../own-call.ts'

/** With a body the request changes something; without one it reads. */
export const telnyxRequest = ({ api, apiKey }: Connection, path: string, body?: object): PlatformRequest => {
  const authorization = `Bearer ${apiKey}`
  if (!body) return { method: 'GET', url: `${api}${path}`, headers: { authorization } }
  const headers = { authorization, 'content-type': 'application/json' }
  return { method: 'POST', url: `${api}${path}`, headers, body: JSON.stringify(body) }
}

/** The longest call that Telnyx permits, in seconds. */
const LONGEST = 14_400

/** A text that Telnyx returns with every event. It contains the number, because a transfer adds calls to other numbers. */
const clientState = ({ callId, to }: Pick<Dial, 'callId' | 'to'>): string => Buffer.from(`${callId} ${to}`).toString('base64')

/** @returns undefined when the event is about another call than the one to the person */
export const callOfTelnyxState = (state: string | null, to: string | null): string | undefined => {
  const [callId, dialled] = Buffer.from(state ?? '', 'base64')
    .toString()
    .split(' ')
  return dialled === undefined || (to !== null && to !== dialled) ? undefined : callId
}

export const dialTelnyx = (connection: Connection, dial: Dial): PlatformRequest =>
  telnyxRequest(connection, '/calls', {
    connection_id: connection.settings['connection_id'],
    to: dial.to,
    from: dial.from.number,
    command_id: dialKey(dial),
    client_state: clientState(dial),
    ...(dial.callbackUrl !== null && { webhook_url: dial.callbackUrl, webhook_url_method: 'POST' }),
    time_limit_secs: Math.min(dial.longestSeconds, LONGEST),
    // With a retry, the phone could ring again through another carrier.
    retry_on_timeout: false,
    // The assistant reacts to a voicemail only with this detection.
    answering_machine_detection: 'premium',
    assistant: { id: connection.assistant, dynamic_variables: dial.variables },
  })
