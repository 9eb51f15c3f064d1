import type { handler as slots } from '#functions/agents/calendar-slots.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as placeCall } from '#functions/workers/place-call.ts'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { agentRequest } from './agent-request.ts'
import { setClock } from './clock.ts'
import { type ReceiverAnswer, startReceiver } from './receiver.ts'
import { NOON, sampleLeadType } from './samples.ts'
import { consumeAll, OWNER, request, startWorld } from './world.ts'

export const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
export const START = '2026-11-23T15:00:00.000000+00:00'
export const LATER = '2026-11-23T16:00:00.000000+00:00'

export const json = (body: unknown, status = 200): ReceiverAnswer => ({ status, body: JSON.stringify(body) })

interface InCall {
  readonly lead: number
  readonly call: string
}

type Answer = ReceiverAnswer | undefined | Promise<ReceiverAnswer>

/** A world with a calendar, and calls that use it. */
export const startCalendarWorld = async () => {
  const world = await startWorld()
  /** The calendar's answer. When undefined, it never answers. */
  let answer: () => Answer = () => ({})
  const calendar = await startReceiver({ respond: () => answer() as ReceiverAnswer })
  let next = 5000
  let type = 100
  return {
    ...world,
    calendar,
    setAnswer: (given: Answer | (() => Answer)): void => {
      answer = typeof given === 'function' ? given : () => given
    },
    reset: async (): Promise<void> => {
      setClock(NOON)
      answer = () => ({})
      calendar.requests.length = 0
      await world.queues.take('CALL_QUEUE_URL')
    },
    /** Bodies of the requests to the calendar. */
    sent: () => calendar.requests.map(({ body }) => JSON.parse(body)),
    /** A call with a lead type of its own, because functions cache a lead type's settings. */
    inCall: async (
      changes: Partial<NonNullable<LeadType['calendar']>> | null = {},
      lead: Record<string, unknown> = {},
    ): Promise<InCall> => {
      const settings = changes && { url: `${calendar.url}/cal/`, secret: SECRET, representative_field: 'representative', ...changes }
      const id = ++type
      await saveLeadType(sampleLeadType({ id, owner: OWNER, calendar: settings }))
      const body = { phone_number: `+1212555${next++}`, timezone: 'America/New_York', lead_type: id, ...lead }
      const created = await request(create, { method: 'POST', path: '/api/leads/', body })
      await consumeAll(
        placeCall,
        (await world.queues.take('CALL_QUEUE_URL')).map((text) => JSON.parse(text)),
      )
      return { lead: created.body.id, call: `${created.body.id}-1` }
    },
    /** Sends a request of the call's agent. The body gets the `call_id`, unless it sets one. */
    ask: (handler: typeof slots, call: string, body: object, secret = world.agentSecret) =>
      request(handler, agentRequest(secret, '', Array.isArray(body) ? body : { call_id: call, ...body }, { call_id: call })),
    stop: async (): Promise<void> => {
      await calendar.close()
      await world.stop()
    },
  }
}
