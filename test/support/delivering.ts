import { beforeEach } from '@jest/globals'
import { handler } from '#functions/workers/deliver-webhook.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { now } from '#shared/platform/clock.ts'
import type { DeliveryMessage } from '#shared/platform/queues/messages.ts'
import { getDelivery, insertDelivery } from '#shared/webhooks/delivery-store.ts'
import { noteSilence, takeSendTurn } from '#shared/webhooks/pace-store.ts'
import { getSubscription, saveSubscription } from '#shared/webhooks/subscription-store.ts'
import type { Delivery, Subscription } from '#shared/webhooks/webhook.ts'
import { setClock } from './clock.ts'
import { duringSuite } from './during-suite.ts'
import { startEngine } from './engine.ts'
import { startQueueEngine } from './queue-engine.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'
import { aSubscription, batchOf, OWNER, SECRETS } from './webhook-fixtures.ts'

export const FAST = 'DELIVERY_QUEUE_URL'
export const SLOW = 'SLOW_DELIVERY_QUEUE_URL'

export const PAYLOAD = JSON.stringify({ id: 1001, trigger: 'LEAD_CREATED', metadata: { us_state: 'NY', city: 'São Paulo' } })

/** An answer that waits until the test releases it. */
export const held = () => {
  let give: () => void = () => {}
  const answered = new Promise<Record<string, never>>((resolve) => {
    give = () => resolve({})
  })
  return { answerNow: () => give(), answered }
}

/**
 * A world of webhook deliveries: the engines, one user, one destination at a time, and the delivery function. The test itself passes its
 * messages. Each test starts with empty queues and without a destination. `timeoutMs`: how long an attempt waits for its answer.
 */
export const deliveryWorld = ({ timeoutMs }: { readonly timeoutMs?: number } = {}) => {
  const queues = duringSuite(
    async () => {
      Object.assign(process.env, {
        PRIVATE_WEBHOOK_HOSTS: '127.0.0.1',
        ...(timeoutMs !== undefined && { WEBHOOK_TIMEOUT_MS: `${timeoutMs}` }),
      })
      setClock(Date.now())
      const [engine, started] = await Promise.all([startEngine(), startQueueEngine([FAST, SLOW])])
      const user = { id: OWNER, name: 'Owner', is_staff: false, default_lead_type: null, dnc_group: 'g', lines: 10 }
      await saveUser({ ...user, webhook_secrets: SECRETS })
      return { ...started, stop: () => Promise.all([engine.stop(), started.stop()]) }
    },
    async ({ stop }) => {
      delete process.env['WEBHOOK_TIMEOUT_MS']
      await receiver?.close()
      await stop()
    },
  )
  let receiver: Receiver | undefined
  let serial = 500
  beforeEach(async () => {
    setClock(Date.now())
    await receiver?.close()
    receiver = undefined
    await Promise.all([queues().take(FAST), queues().take(SLOW)])
  })
  const subscribe = async (fields: Partial<Subscription> = {}): Promise<number> => {
    const id = ++serial
    await saveSubscription(aSubscription({ id, url: `${receiver?.url}/hook`, ...fields }))
    return id
  }
  /** A delivery that is due, and its message. */
  const pending = async (subscription: number, fields: Partial<Delivery> = {}): Promise<DeliveryMessage> => {
    const [created, event] = [fields.created_time ?? now(), `e${++serial}`]
    const delivery: Delivery = {
      delivery_id: `${subscription}-1-${created}-${event}`,
      subscription,
      owner: OWNER,
      event_id: event,
      trigger: 'LEAD_CREATED',
      lead: 1001,
      payload: PAYLOAD,
      status: 'pending',
      attempts: [],
      earlier_attempts: 0,
      begun_time: null,
      next_attempt_time: created,
      created_time: created,
      expires_at: Math.floor(created / 1000) + 86_400,
      ...fields,
    }
    await insertDelivery(delivery)
    return { owner: OWNER, subscription, delivery_id: delivery.delivery_id }
  }
  return {
    queues,
    requests: () => receiver?.requests ?? [],
    receive: async (respond?: ReceiverOptions['respond']): Promise<Receiver> => {
      receiver = await startReceiver(respond ? { respond } : {})
      return receiver
    },
    subscribe,
    /** A subscription with a dead destination that had its send turn just now. For a minute it gets no other turn. */
    subscribeDead: async (): Promise<number> => {
      const id = await subscribe({ slow_since: 1 })
      for (let timeouts = 0; timeouts < 5; timeouts++) await noteSilence(id, 15_000, now() + timeouts * 20_000)
      await takeSendTurn(id, now())
      return id
    },
    subscription: async (id: number): Promise<Subscription> => (await getSubscription(OWNER, id))!,
    pending,
    /** A pending delivery with its own subscription. */
    pendingAlone: async (fields: Partial<Subscription> = {}, delivery: Partial<Delivery> = {}) =>
      pending(await subscribe(fields), delivery),
    deliver: (...messages: readonly unknown[]) => handler(batchOf(messages)),
    /** Delivers a message that was received before. `first`: time of the first receive, in epoch milliseconds. */
    deliverAgain: (times: number, first: number, message: unknown) => {
      const { Records } = batchOf([message])
      const attributes = { ApproximateReceiveCount: `${times}`, ApproximateFirstReceiveTimestamp: `${first}` }
      return handler({ Records: Records.map((record) => ({ ...record, attributes: { ...record.attributes, ...attributes } })) })
    },
    /** Delivers messages with the ARN of their queue, so that the run can take more from it. */
    deliverFrom: (queue: string, ...messages: readonly unknown[]) => {
      const { Records } = batchOf(messages)
      return handler({
        Records: Records.map((record) => ({ ...record, eventSourceARN: `arn:aws:sqs:us-east-1:1:${queue.toLowerCase()}` })),
      })
    },
    logOf: async ({ delivery_id }: DeliveryMessage): Promise<Delivery> => (await getDelivery(delivery_id))!,
    sentTo: async (queue: string): Promise<DeliveryMessage[]> => (await queues().take(queue)).map((body) => JSON.parse(body)),
  }
}
