import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { now } from '#shared/platform/clock.ts'
import { getDelivery, insertDelivery } from '#shared/webhooks/delivery-store.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts'
import { batchOf } from './webhook-fixtures.ts'
import { OWNER, request, startWorld } from './world.ts'

const FUNCTIONS = ['create', 'list', 'retrieve', 'update', 'enable', 'deliveries', 'resend', 'test', 'delete', 'delete-by-url']

interface Asked {
  readonly id?: number
  readonly delivery?: string
  readonly body?: unknown
  /** Idempotency key. */
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Subscriptions with custom headers, and their deliveries, through the real handlers. One receiver at a time. The test controls the key
 * service.
 */
export const sealedSubscriptions = () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  let deliver: typeof import('#functions/workers/deliver-webhook.ts')['handler']
  let receiver: Receiver | undefined
  let serial = 0
  const handlers = new Map<string, Parameters<typeof request>[0]>()
  /** Counts decrypt requests to the key service. `refuse` fails them; `hang` leaves requests unanswered. */
  const opened = { count: 0, refuse: false, hang: false }
  /** Everything that clients and tests have seen. */
  const shown: string[] = []

  beforeAll(async () => {
    world = await startWorld()
    for (const name of FUNCTIONS) handlers.set(name, (await import(`../../functions/webhooks/${name}.ts`)).handler)
    ;({ handler: deliver } = await import('#functions/workers/deliver-webhook.ts'))
    const { DecryptCommand, KMSClient } = await import('@aws-sdk/client-kms')
    const { send: original } = KMSClient.prototype
    KMSClient.prototype.send = function (this: unknown, command: object, options: { abortSignal: AbortSignal }) {
      if (command instanceof DecryptCommand) opened.count++
      if (command instanceof DecryptCommand && opened.refuse) throw new Error('The key is disabled.')
      if (opened.hang) return new Promise((_, reject) => options.abortSignal.addEventListener('abort', reject))
      return Reflect.apply(original, this, [command, options])
    } as typeof original
  })
  beforeEach(() => {
    Object.assign(opened, { count: 0, refuse: false, hang: false })
  })
  const closeReceiver = async () => {
    await receiver?.close()
    receiver = undefined
  }
  afterEach(closeReceiver)
  afterAll(() => world?.stop())

  /** Calls the function `webhooks/<name>`. */
  const ask = async (name: string, method: string, path: string, { id, delivery, body, key, headers }: Asked = {}) => {
    const answer = await request(handlers.get(name)!, {
      method,
      path,
      parameters: { ...(id && { id: `${id}` }), ...(delivery && { delivery_id: delivery }) },
      headers: { ...headers, ...(key && { 'Idempotency-Key': key }) },
      body,
    })
    shown.push(JSON.stringify(answer))
    return answer
  }

  const subscribe = async (headers: unknown, fields: Record<string, unknown> = {}, key?: string) => {
    const body = { url: `${receiver?.url ?? 'https://example.com'}/hook`, trigger: ['LEAD_CREATED'], headers, ...fields }
    return ask('create', 'POST', '/api/webhooks/', { body, ...(key && { key }) })
  }

  const pending = async (subscription: number, fields: Partial<Delivery> = {}): Promise<Delivery> => {
    const created = now()
    const id = `e${++serial}`
    const delivery: Delivery = {
      ...{ delivery_id: `${subscription}-1-${created}-${id}`, subscription, owner: OWNER, event_id: id, trigger: 'LEAD_CREATED', lead: 1 },
      ...{
        payload: '{"id":1}',
        status: 'pending',
        attempts: [],
        earlier_attempts: 0,
        begun_time: null,
        next_attempt_time: created,
        created_time: created,
      },
      expires_at: Math.floor(created / 1000) + 86_400,
      ...fields,
    }
    await insertDelivery(delivery)
    return delivery
  }

  const deliverAll = async (deliveries: readonly Delivery[], lane: { readonly waited?: number } = {}) => {
    const messages = deliveries.map(({ owner, subscription, delivery_id }) => ({ owner, subscription, delivery_id, ...lane }))
    expect(await deliver(batchOf(messages))).toEqual({ batchItemFailures: [] })
  }

  /** Sends a delivery. @returns its log entry afterwards */
  const send = async (delivery: Delivery, lane: { readonly waited?: number } = {}) => {
    await deliverAll([delivery], lane)
    const log = await getDelivery(delivery.delivery_id)
    shown.push(JSON.stringify(log))
    return log!
  }

  const receive = async (respond?: ReceiverOptions['respond']) => {
    receiver = await startReceiver(respond ? { respond } : {})
  }
  const received = () => receiver?.requests ?? []

  return { ask, closeReceiver, deliverAll, opened, pending, receive, received, send, shown, subscribe }
}
