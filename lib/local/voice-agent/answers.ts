import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import type { SimulatedAgent } from './agent.ts'
import { parseBookSlot, parseFindSlots, type SimulatedCalendar } from './calendar.ts'
import { answerQuestions } from './reassigned-numbers.ts'

const IsoInstant = v.pipe(v.string(), v.isoTimestamp())
const HandOver = v.object({ mode: v.string(), destinations: v.array(v.string()) })

/** The body of `POST /`. */
const PlaceCall = v.object({
  call_id: v.pipe(v.string(), v.minLength(1)),
  lead: v.object({ phone_number: v.pipe(v.string(), v.minLength(4)) }),
  script: v.nullish(v.string()),
  transfer: v.nullish(HandOver),
  escalation: v.nullish(HandOver),
  /** Whether the service has a calendar for appointments of this call. */
  calendar: v.optional(v.boolean(), false),
  callback_url: v.pipe(v.string(), v.url()),
  /** Not enforced. It is a time of the service's clock, and the service itself must respect it. */
  not_after: IsoInstant,
  /** The service's clock at the request. Without it, the agent assumes that clock is real time. */
  requested_time: v.optional(IsoInstant),
})

/** The body of `POST /cancel`. */
const CancelCall = v.object({ call_id: v.string() })

const parsePlaceCall = (body: string) => v.safeParse(v.pipe(v.string(), v.parseJson(), PlaceCall), body)
const parseCancelCall = (body: string) => v.safeParse(v.pipe(v.string(), v.parseJson(), CancelCall), body)

const headerOf = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '')

const idempotencyKeyOf = (request: IncomingMessage): string => headerOf(request, 'idempotency-key')

const isSigned = (request: IncomingMessage, body: string, webhook: Webhook): boolean => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  try {
    webhook.verify(body, Object.fromEntries(names.map((name) => [name, headerOf(request, name)])), { jsonParse: false })
    return true
  } catch {
    return false
  }
}

/** Undefined: the request stays open for ever. */
export type SimulatedAnswer = { readonly status: number; readonly body: unknown } | undefined

/** Destination of transfers when the request names none. */
const ANY_DESTINATION = '+12125550199'

export const agentRefusal = (status: number, detail: string): SimulatedAnswer => ({ status, body: { detail } })

const placeCall = (agent: SimulatedAgent, key: string, body: string): SimulatedAnswer => {
  const parsed = parsePlaceCall(body)
  if (!parsed.success) return agentRefusal(400, `Bad request: ${parsed.issues[0].message}`)
  const { call_id, lead, callback_url, calendar, transfer, requested_time } = parsed.output
  if (key === '') return agentRefusal(400, 'Idempotency-Key is missing.')
  if (key !== call_id) return agentRefusal(400, 'Idempotency-Key is not the call_id.')
  const at = Date.now()
  const offset = requested_time === undefined ? 0 : Date.parse(requested_time) - at
  const destination = transfer?.destinations[0] ?? ANY_DESTINATION
  const call = agent.request({ key, at, phone: lead.phone_number, callback_url, destination, calendar, offset })
  if (call.behaviour.reply === 'never') return undefined
  if (call.behaviour.reply === 'error') return agentRefusal(500, 'The agent is out of order.')
  if (call.behaviour.reply === 'refuse') return agentRefusal(422, 'The number cannot be called.')
  return { status: 200, body: { provider_call_id: call.providerCallId } }
}

const cancelCall = (agent: SimulatedAgent, body: string): SimulatedAnswer => {
  const parsed = parseCancelCall(body)
  if (!parsed.success) return agentRefusal(400, `Bad request: ${parsed.issues[0].message}`)
  return { status: 200, body: { cancelled: agent.cancel(parsed.output.call_id, Date.now()) } }
}

const findSlots = (calendar: SimulatedCalendar, body: string): SimulatedAnswer => {
  const parsed = parseFindSlots(body)
  if (!parsed.success) return agentRefusal(400, `Bad request: ${parsed.issues[0].message}`)
  return { status: 200, body: { slots: calendar.slots(parsed.output) } }
}

const bookSlot = (calendar: SimulatedCalendar, body: string): SimulatedAnswer => {
  const parsed = parseBookSlot(body)
  if (!parsed.success) return agentRefusal(400, `Bad request: ${parsed.issues[0].message}`)
  const booking = calendar.book(parsed.output)
  return booking ? { status: 201, body: booking } : agentRefusal(409, 'The slot is taken.')
}

/** Any key is right. */
const askDatabase = (request: IncomingMessage, body: string): SimulatedAnswer => {
  if (!/^Bearer ./.test(headerOf(request, 'authorization'))) return agentRefusal(401, 'A key is missing.')
  const answers = answerQuestions(body)
  return answers ? { status: 200, body: answers } : agentRefusal(400, 'Bad request: questions with phone_number and date are required.')
}

/** Handlers of signed requests, by path. */
const POSTS: ReadonlyMap<string, (simulated: Simulated, body: string, request: IncomingMessage) => SimulatedAnswer> = new Map([
  ['', ({ agent }, body, request) => placeCall(agent, idempotencyKeyOf(request), body)],
  ['/cancel', ({ agent }, body) => cancelCall(agent, body)],
  ['/calendar/slots', ({ calendar }, body) => findSlots(calendar, body)],
  ['/calendar/book', ({ calendar }, body) => bookSlot(calendar, body)],
])

/** The agent, and the calendar in which it books appointments. */
interface Simulated {
  readonly agent: SimulatedAgent
  readonly calendar: SimulatedCalendar
  /** Signs and verifies in both directions. */
  readonly webhook: Webhook
}

/**
 * `POST /` places a call, `POST /cancel` cancels one, `GET /dials` reports the dials. `POST /calendar/slots` and `/calendar/book` belong to
 * the calendar. `POST /reassigned-numbers` is a service that asks the reassigned numbers database: its requests have a key, and no signature.
 */
export const answer = async (simulated: Simulated, request: IncomingMessage): Promise<SimulatedAnswer> => {
  const path = (request.url ?? '/').replace(/\/$/, '')
  if (request.method === 'GET' && path === '/dials') return { status: 200, body: simulated.agent.report(Date.now()) }
  if (request.method === 'POST' && path === '/reassigned-numbers') return askDatabase(request, await text(request))
  const post = request.method === 'POST' ? POSTS.get(path) : undefined
  if (!post) return agentRefusal(404, 'Not found.')
  const body = await text(request)
  return isSigned(request, body, simulated.webhook) ? post(simulated, body, request) : agentRefusal(401, 'Invalid signature.')
}
