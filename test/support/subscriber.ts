import { expect } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { TRIGGERS, type Trigger } from '#shared/platform/values/values.ts'
import { startReceiver } from './receiver.ts'
import { type Service, until } from './service.ts'

/** An event as a customer gets it. */
export interface Told {
  readonly trigger: Trigger
  readonly webhookId: string
  /** Of the request: the trigger whose subscription it came by. */
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: payloads are looked into freely
  readonly payload: any
}

/** A customer's system with a subscription to each trigger, which takes nothing that is not signed. */
export const startSubscriber = async () => {
  let webhook: Webhook | undefined
  let isClosed = false
  const told = new Map<string, Told>()
  const forged: string[] = []
  const receiver = await startReceiver({
    respond: ({ body, headers, path }) => {
      try {
        const payload = webhook?.verify(body, headers as Record<string, string>) as Told['payload']
        const webhookId = `${headers['webhook-id']}`
        told.set(webhookId, { trigger: payload.trigger, webhookId, path, payload })
        return {}
      } catch (error) {
        forged.push(`${error}: ${body}`)
        return { status: 401 }
      }
    },
  })

  /** @returns the subscription of each trigger */
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

  /** Everything told so far of a lead, each event once, in the order of the lead's changes. */
  const toldOf = (lead: number): Told[] =>
    [...told.values()].filter(({ payload }) => payload.id === lead).sort((a, b) => (a.payload.sequence < b.payload.sequence ? -1 : 1))

  return {
    subscribe,
    toldOf,
    /** What came with a signature that is none. */
    forged,
    all: () => [...told.values()],
    /** Waits for as many events of a lead. */
    hear: (lead: number, count: number) =>
      until(
        () => toldOf(lead),
        ({ length }) => length >= count || isClosed,
      ),
    close: () => {
      isClosed = true
      return receiver.close()
    },
  }
}
