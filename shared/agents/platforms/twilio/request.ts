import type { Connection, Dial, PlatformRequest } from '../adapter.ts'

/** A request below the account. With a form it changes something; without one it reads. */
export const twilioRequest = ({ api, apiKey, settings }: Connection, path: string, form?: URLSearchParams): PlatformRequest => {
  const accountSid = settings['account_sid'] ?? ''
  const authorization = `Basic ${Buffer.from(`${accountSid}:${apiKey}`).toString('base64')}`
  const url = `${api}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}${path}`
  if (!form) return { method: 'GET', url, headers: { authorization } }
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', url, headers, body: form.toString() }
}

/** The longest URL that Twilio is given. Variables that do not fit are left out. */
const LONGEST_URL = 4000

/** The customer's TwiML URL, with the call id and the variables in its query. */
const twimlUrl = ({ assistant }: Connection, { callId, variables }: Dial): string => {
  if (!URL.canParse(assistant)) return assistant
  const url = new URL(assistant)
  url.searchParams.set('call_id', callId)
  for (const [name, value] of Object.entries(variables)) {
    const before = url.search
    if (name !== 'call_id') url.searchParams.set(name, value)
    if (url.href.length > LONGEST_URL) url.search = before
  }
  return url.href
}

/** The `initiated` event shows that Twilio placed the call, even if its answer to our request was lost. */
const EVENTS = ['initiated', 'answered', 'completed']

export const dialTwilio = (connection: Connection, dial: Dial): PlatformRequest => {
  const form = new URLSearchParams({
    To: dial.to,
    From: dial.from.number,
    Url: twimlUrl(connection, dial),
    TimeLimit: String(dial.longestSeconds),
    MachineDetection: 'Enable',
    // Without asynchronous detection, the person hears nothing until it has a result.
    AsyncAmd: 'true',
  })
  if (dial.callbackUrl !== null) {
    form.set('StatusCallback', dial.callbackUrl)
    form.set('AsyncAmdStatusCallback', dial.callbackUrl)
    for (const event of EVENTS) form.append('StatusCallbackEvent', event)
  }
  return twilioRequest(connection, '/Calls.json', form)
}
