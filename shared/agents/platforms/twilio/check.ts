import * as v from 'valibot'
import type { Advice, Ask, CallerNumber, Connection } from '../adapter.ts'
import { lookUpAt } from '../look-up.ts'
import { ifPresent } from '../read-answer.ts'
import { twilioRequest } from './request.ts'

const Account = v.object({ status: v.string(), type: ifPresent(v.string()) })
const OwnNumbers = v.object({
  incoming_phone_numbers: v.array(v.object({ capabilities: ifPresent(v.object({ voice: ifPresent(v.boolean()) })) })),
})
const CallerIds = v.object({ outgoing_caller_ids: v.array(v.unknown()) })

const REFUSED = 'Twilio refuses the account SID or the auth token. Copy both from the first page of the Twilio console.'

/** Callbacks are set with each call, and the customer's agent reports the outcome. Neither needs a check at Twilio. */
export const checkTwilio = async (ask: Ask, connection: Connection, from: readonly CallerNumber[]): Promise<readonly Advice[]> => {
  const lookUp = lookUpAt('Twilio', ask, REFUSED)
  const reading = (path: string) => twilioRequest(connection, path)

  const ofNumber = async ({ number }: CallerNumber): Promise<readonly Advice[]> => {
    const missing = `${number} is not a number of this Twilio account. Buy it, or verify it as a caller ID.`
    const query = new URLSearchParams({ PhoneNumber: number })
    const own = await lookUp({ request: reading(`/IncomingPhoneNumbers.json?${query}`), schema: OwnNumbers, thing: number, missing })
    if ('advice' in own) return [own.advice]
    const [owned] = own.found.incoming_phone_numbers
    if (owned?.capabilities?.voice === false) return [{ problem: `${number} cannot make calls. Use a Twilio number with voice.` }]
    if (owned) return []
    const verified = await lookUp({ request: reading(`/OutgoingCallerIds.json?${query}`), schema: CallerIds, thing: number, missing })
    if ('advice' in verified) return [verified.advice]
    return verified.found.outgoing_caller_ids.length > 0 ? [] : [{ problem: missing }]
  }

  const { assistant } = connection
  const isHttps = URL.canParse(assistant) && new URL(assistant).protocol === 'https:'
  const ofAssistant = isHttps ? [] : [{ problem: `The assistant must be the https URL of your TwiML, but it is "${assistant}".` }]

  const account = await lookUp({ request: reading('.json'), schema: Account, thing: 'the account', missing: REFUSED })
  if ('advice' in account) return [account.advice, ...ofAssistant]
  const { status, type } = account.found
  if (status !== 'active') return [{ problem: `The Twilio account is ${status}. Reactivate it in the Twilio console.` }, ...ofAssistant]
  const trial = { problem: 'The Twilio account is a trial: it calls verified numbers only, and plays a message first. Upgrade it.' }
  const numbers = await Promise.all(from.map(ofNumber))
  return [...(type === 'Trial' ? [trial] : []), ...numbers.flat(), ...ofAssistant]
}
