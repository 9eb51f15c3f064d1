import { expect } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { TRIGGERS, type Trigger } from '#shared/platform/values/values.ts'
import { startReceiver } from './receiver.ts'
import { type Service, until } from './service.ts'

/** An event as the customer receives it. */
export interface HeardEvent {
  readonly trigger: Trigger
  readonly webhookId: string
  /** Path of the request. It names the subscription's trigger. */
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of a payload
  readonly payload: any
}

/** A customer's system with one subscription per trigger. It refuses requests without a valid signature. */
export const startSubscriber = async () => {
  let webhook: Webhook | undefined
  let isClosed = false
  const heard = new Map<string, HeardEvent>()
  const forged: string[] = []
  const receiver = await startReceiver({
    respond: ({ body, headers, path }) => {
      try {
        const payload = webhook?.verify(body, headers as Record<string, string>) as HeardEvent['payload']
        const webhookId = `${headers['webhook-id']}`
        heard.set(webhookId, { trigger: payload.trigger, webhookId, path, payload })
        return {}
      } catch (error) {
        forged.push(`${error}: ${body}`)
        return { status: 401 }
      }
    },
  })

  /** Subscribes to every trigger. @returns the subscription ids by trigger */
  const subscribe = async (service: Service): Promise<ReadonlyMap<Trigger, number>> => {
    webhook = new Webhook(service.webhookSecret)
    const subscriptions = new Map<Trigger, number>()
    for (const trigger of TRIGGERS) {
      const { status, body } = await service.call('POST', '/api/webhooks/', { url: `${receiver.url}/${trigger}`, trigger: [trigger] })
      expect({ trigger, status }).toEqual({ trigger, status: 201 })
      subscriptions.set(trigger, body.id)
    }
    return subscriptions
  }

  /** A lead's events so far, each once, in the order of the lead's changes. */
  const eventsOf = (lead: number): HeardEvent[] =>
    [...heard.values()].filter(({ payload }) => payload.id === lead).sort((a, b) => (a.payload.sequence < b.payload.sequence ? -1 : 1))

  return {
    subscribe,
    eventsOf,
    /** Requests with an invalid signature. */
    forged,
    all: () => [...heard.values()],
    /** Waits until this many events of a lead have arrived. */
    hear: (lead: number, count: number) =>
      until(
        () => eventsOf(lead),
        ({ length }) => length >= count || isClosed,
      ),
    close: () => {
      isClosed = true
      return receiver.close()
    },
  }
}
