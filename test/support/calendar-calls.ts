import { beforeEach } from '@jest/globals'
import type { handler as slots } from '#functions/agents/calendar-slots.ts'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { callWorld } from './agent-calls.ts'
import { agentRequest } from './agent-request.ts'
import type { ReceiverAnswer } from './receiver.ts'
import { sampleLeadType } from './samples.ts'
import { suiteReceiver } from './suite-world.ts'
import { OWNER, request } from './world.ts'

export const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`
export const START = '2026-11-23T15:00:00.000000+00:00'
export const LATER = '2026-11-23T16:00:00.000000+00:00'

export const json = (body: unknown, status = 200): ReceiverAnswer => ({ status, body: JSON.stringify(body) })

type Answer = ReceiverAnswer | undefined | Promise<ReceiverAnswer>

/** A world with a calendar, and calls that use it. Each test starts with a calendar that answers 200. */
export const calendarWorld = () => {
  const { world, inCall } = callWorld()
  /** The calendar's answer. When undefined, it never answers. */
  let answer: () => Answer = () => ({})
  const calendar = suiteReceiver(() => answer() as ReceiverAnswer)
  beforeEach(() => {
    answer = () => ({})
    calendar().requests.length = 0
  })
  let type = 100
  return {
    get agentSecret() {
      return world().agentSecret
    },
    get calendar() {
      return calendar()
    },
    setAnswer: (given: Answer | (() => Answer)): void => {
      answer = typeof given === 'function' ? given : () => given
    },
    /** Bodies of the requests to the calendar. */
    sent: () => calendar().requests.map(({ body }) => JSON.parse(body)),
    /** A call with a lead type of its own, because functions cache a lead type's settings. */
    inCall: async (
      changes: Partial<NonNullable<LeadType['calendar']>> | null = {},
      lead: Record<string, unknown> = {},
    ): ReturnType<typeof inCall> => {
      const settings = changes && { url: `${calendar().url}/cal/`, secret: SECRET, representative_field: 'representative', ...changes }
      const id = ++type
      await saveLeadType(sampleLeadType({ id, owner: OWNER, calendar: settings }))
      return inCall({ lead_type: id, ...lead })
    },
    /** Sends a request of the call's agent. The body gets the `call_id`, unless it sets one. */
    ask: (handler: typeof slots, call: string, body: object, secret = world().agentSecret) =>
      request(handler, agentRequest(secret, '', Array.isArray(body) ? body : { call_id: call, ...body }, { call_id: call })),
  }
}
