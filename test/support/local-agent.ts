import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import type { Json, Service } from './service.ts'

/** Speaks for the voice agent of a service that keeps its data in `directory`. */
export const localAgent = (service: Pick<Service, 'url' | 'inboundNumber'>, directory: string) => {
  const { agentSecret } = JSON.parse(readFileSync(join(directory, 'demo.json'), 'utf8'))
  let serial = 0
  const post = async (path: string, fields: object) => {
    const [id, at, body] = [`message-${++serial}`, new Date(), JSON.stringify(fields)]
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(agentSecret).sign(id, at, body),
    }
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body })
    return {
      status: answer.status,
      body: (await answer.json()) as Json & {
        readonly call_id: string
        readonly lead: { readonly id: number }
        readonly slots: readonly { readonly start_time: string }[]
      },
    }
  }
  return {
    /** Reports an inbound call. */
    ring: (from: string) => post('/api/agents/inbound-calls/', { provider_call_id: `inbound-${from}`, from, to: service.inboundNumber }),
    /** Sends an event report of a call. */
    tell: (call_id: string, type: string, time: string, data: object = {}) =>
      post(`/api/agents/calls/${call_id}/events/`, { type, call_id, time, data }),
    /** Asks for the calendar's free slots. */
    slots: (call_id: string) => post(`/api/agents/calls/${call_id}/calendar/slots/`, { call_id }),
    book: (call_id: string, start_time: string) => post(`/api/agents/calls/${call_id}/calendar/book/`, { call_id, start_time }),
  }
}
