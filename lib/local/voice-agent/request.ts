import type { IncomingMessage } from 'node:http'
import type { Webhook } from 'standardwebhooks'
import * as v from 'valibot'

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

export const parsePlaceCall = (body: string) => v.safeParse(v.pipe(v.string(), v.parseJson(), PlaceCall), body)
export const parseCancelCall = (body: string) => v.safeParse(v.pipe(v.string(), v.parseJson(), CancelCall), body)

const headerOf = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '')

export const idempotencyKeyOf = (request: IncomingMessage): string => headerOf(request, 'idempotency-key')

export const isSigned = (request: IncomingMessage, body: string, webhook: Webhook): boolean => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  try {
    webhook.verify(body, Object.fromEntries(names.map((name) => [name, headerOf(request, name)])), { jsonParse: false })
    return true
  } catch {
    return false
  }
}
