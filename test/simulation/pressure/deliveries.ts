import * as v from 'valibot'
import { DEFAULT_SETTINGS } from '#lib/settings.ts'
import { DELIVERIES_A_RUN } from '#lib/worker-concurrency.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { aSubscription } from '#test/support/webhook-fixtures.ts'
import type { Chance } from '../lateness/chance.ts'
import { startConsumer } from '../lateness/consumer.ts'
import type { VirtualQueue } from '../lateness/queue.ts'
import { connectAgent } from '../lateness/surroundings.ts'
import type { VirtualTime } from '../lateness/virtual-time.ts'

export type Deliver = typeof import('#functions/workers/deliver-webhook.ts').handler

const HOST = 'receiver.example.com'
/** Milliseconds that a run may take, as in the stacks. */
const TIMEOUT = 40 * SECOND
/** As an owner's delivery queue: hidden for six times a run's time. */
export const DELIVERY_QUEUE = { visibilitySeconds: 240, maxReceives: 100 }
const CHUNK = 500

interface Options {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly queue: VirtualQueue
  /** Each is a process of its own. Each run takes the next one. */
  readonly handlers: readonly Deliver[]
  readonly owner: number
  readonly from: number
  readonly until: number
  readonly perSecond: number
}

const Payload = v.pipe(v.string(), v.parseJson(), v.object({ event_id: v.string() }))

/**
 * Writes deliveries, each with a message at its time, and makes them. The receiver answers at once: the service measures its answers by a
 * timer of the machine.
 * @returns when each message was sent, and when the receiver got it, by event
 */
export const startDeliveries = async ({ time, chance, queue, handlers, owner, from, until, perSecond }: Options) => {
  const [{ saveSubscription }, { newDelivery, deliveryMessage }, { insertWatchedDeliveries }] = await Promise.all([
    import('#shared/webhooks/subscription-store.ts'),
    import('#shared/webhooks/deliveries.ts'),
    import('#shared/webhooks/delivery-store.ts'),
  ])
  const subscription = aSubscription({ owner, url: `https://${HOST}/hook` })
  await saveSubscription(subscription)
  const sent = new Map<string, number>()
  const received = new Map<string, number[]>()
  const count = Math.floor(((until - from) / SECOND) * perSecond)
  const deliveries = Array.from({ length: count }, (_, number) => {
    const at = Math.floor(from + (number * SECOND) / perSecond)
    const event = { event_id: `event-${number}`, event_time: at, trigger: 'LEAD_CREATED' as const, owner, lead_id: 1_000_000 + number }
    return newDelivery(event, subscription, JSON.stringify({ event_id: event.event_id }), at)
  })
  for (let place = 0; place < count; place += CHUNK) await insertWatchedDeliveries(deliveries.slice(place, place + CHUNK), until)
  for (const delivery of deliveries) {
    time.at(delivery.created_time, () => {
      sent.set(delivery.event_id, time.now())
      queue.send(JSON.stringify({ ...deliveryMessage(delivery), fresh: true }), `${owner}`, 0)
    })
  }
  connectAgent(async (_url, _key, body) => {
    const { event_id } = v.parse(Payload, body)
    received.set(event_id, [...(received.get(event_id) ?? []), time.now()])
    return {}
  }, HOST)
  let runs = 0
  const run = async (event: Parameters<Deliver>[0]) => {
    const end = time.now() + TIMEOUT
    const handler = handlers[runs++ % handlers.length]
    if (!handler) throw new Error('There is no sandbox.')
    return handler(event, { getRemainingTimeInMillis: () => end - time.now() })
  }
  startConsumer({ time, chance, queue, batchSize: DELIVERIES_A_RUN, maxConcurrency: DEFAULT_SETTINGS.deliveryConcurrency, run })
  return { sent, received }
}
