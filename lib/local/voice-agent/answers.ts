import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Webhook } from 'standardwebhooks'
import type { Agent } from './agent.ts'
import { type Calendar, parseBookSlot, parseFindSlots } from './calendar.ts'
import { idempotencyKeyOf, isSigned, parseCancelCall, parsePlaceCall } from './request.ts'

/** Undefined keeps the request open for ever. */
export type Answer = { readonly status: number; readonly body: unknown } | undefined

/** Where transfers go when the request names no destination. */
const ANY_DESTINATION = '+12125550199'

export const refusal = (status: number, detail: string): Answer => ({ status, body: { detail } })

const placeCall = (agent: Agent, key: string, body: string): Answer => {
  const parsed = parsePlaceCall(body)
  if (!parsed.success) return refusal(400, `Bad request: ${parsed.issues[0].message}`)
  const { call_id, lead, callback_url, calendar, transfer, requested_time } = parsed.output
  if (key === '') return refusal(400, 'Idempotency-Key is missing.')
  if (key !== call_id) return refusal(400, 'Idempotency-Key is not the call_id.')
  const at = Date.now()
  const offset = requested_time === undefined ? 0 : Date.parse(requested_time) - at
  const destination = transfer?.destinations[0] ?? ANY_DESTINATION
  const call = agent.request({ key, at, phone: lead.phone_number, callback_url, destination, calendar, offset })
  if (call.behaviour.reply === 'never') return undefined
  if (call.behaviour.reply === 'error') return refusal(500, 'The agent is out of order.')
  if (call.behaviour.reply === 'refuse') return refusal(422, 'The number cannot be called.')
  return { status: 200, body: { provider_call_id: call.providerCallId } }
}

const cancelCall = (agent: Agent, body: string): Answer => {
  const parsed = parseCancelCall(body)
  if (!parsed.success) return refusal(400, `Bad request: ${parsed.issues[0].message}`)
  return { status: 200, body: { cancelled: agent.cancel(parsed.output.call_id, Date.now()) } }
}

const findSlots = (calendar: Calendar, body: string): Answer => {
  const parsed = parseFindSlots(body)
  if (!parsed.success) return refusal(400, `Bad request: ${parsed.issues[0].message}`)
  return { status: 200, body: { slots: calendar.slots(parsed.output) } }
}

const bookSlot = (calendar: Calendar, body: string): Answer => {
  const parsed = parseBookSlot(body)
  if (!parsed.success) return refusal(400, `Bad request: ${parsed.issues[0].message}`)
  const booking = calendar.book(parsed.output)
  return booking ? { status: 201, body: booking } : refusal(409, 'The slot is taken.')
}

/** By path: what signed requests ask for. */
const POSTS: ReadonlyMap<string, (simulated: Simulated, body: string, request: IncomingMessage) => Answer> = new Map([
  ['', ({ agent }, body, request) => placeCall(agent, idempotencyKeyOf(request), body)],
  ['/cancel', ({ agent }, body) => cancelCall(agent, body)],
  ['/calendar/slots', ({ calendar }, body) => findSlots(calendar, body)],
  ['/calendar/book', ({ calendar }, body) => bookSlot(calendar, body)],
])

/** The agent, and the calendar of those whom it makes appointments with. */
export interface Simulated {
  readonly agent: Agent
  readonly calendar: Calendar
  /** Of both directions. */
  readonly webhook: Webhook
}

/**
 * `POST /` places a call, `POST /cancel` cancels one, `GET /dials` tells what was dialled; `POST /calendar/slots` and
 * `/calendar/book` are the calendar's.
 */
export const answer = async (simulated: Simulated, request: IncomingMessage): Promise<Answer> => {
  const path = (request.url ?? '/').replace(/\/$/, '')
  if (request.method === 'GET' && path === '/dials') return { status: 200, body: simulated.agent.report(Date.now()) }
  const post = request.method === 'POST' ? POSTS.get(path) : undefined
  if (!post) return refusal(404, 'Not found.')
  const body = await text(request)
  return isSigned(request, body, simulated.webhook) ? post(simulated, body, request) : refusal(401, 'Invalid signature.')
}
