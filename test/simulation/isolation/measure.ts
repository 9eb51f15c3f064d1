import { setTimeout as sleep } from 'node:timers/promises'
import { SQSClient } from '@aws-sdk/client-sqs'
import { startEngine } from '#test/support/engine.ts'
import { startQueueEngine } from '#test/support/queue-engine.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { aLead, anEvent, aSubscription, SECRETS } from '#test/support/webhook-fixtures.ts'
import type { SeenLoads } from '../limits/hot-key-findings.ts'
import { startLimits } from '../limits/start-limits.ts'
import { type Concurrency, startPipeline } from './pipeline.ts'

export interface Measurement {
  /** Whether one destination is dead and one takes ten seconds. */
  readonly withBad: boolean
  readonly seconds: number
  /** Events a second, of all destinations together. */
  readonly rate: number
  readonly concurrency: Concurrency
}

const DESTINATIONS = 50
/** These two may be bad, and are not measured. */
const DEAD = 0
const SLOW = 1
const SLOW_MS = 10_000
const GOOD_MS = 50
const PATIENCE_MS = 60_000
const WARM_UP_MS = 3_000

const startWorld = async () => {
  const limits = await startLimits()
  const [engine, queues] = await Promise.all([startEngine(), startQueueEngine([])])
  Object.assign(process.env, { PRIVATE_WEBHOOK_HOSTS: '127.0.0.1', POWERTOOLS_LOG_LEVEL: 'SILENT' })
  const sqs = new SQSClient({ endpoint: queues.url, region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } })
  const stop = async () => {
    sqs.destroy()
    await Promise.all([engine.stop(), queues.stop(), limits.stop()])
  }
  return { sqs, limits, stop }
}

/** Subscribes each destination for its own user. A request's path names its destination. */
const subscribeAll = async (receiver: Receiver): Promise<number[]> => {
  const [{ saveUser }, { saveSubscription }] = await Promise.all([
    import('#shared/accounts/user-store.ts'),
    import('#shared/webhooks/subscription-store.ts'),
  ])
  const owners = Array.from({ length: DESTINATIONS }, (_, index) => 1_000 + index)
  for (const [index, owner] of owners.entries()) {
    const user = { id: owner, name: `User ${owner}`, is_staff: false, default_lead_type: null, dnc_group: `${owner}`, lines: 10 }
    await saveUser({ ...user, webhook_secrets: SECRETS })
    await saveSubscription(aSubscription({ id: owner, owner, url: `${receiver.url}/${index}` }))
  }
  return owners
}

/** Time from an event to its request at a good destination. */
export interface Delay {
  readonly ms: number
  /** Later events that arrived before. On a slow machine all events are late, but few overtake others. */
  readonly overtaken: number
}

export interface Measured {
  /** Delays of the deliveries to healthy destinations. */
  readonly delays: readonly Delay[]
  readonly loads: SeenLoads
}

const measure = async ({ withBad, seconds, rate, concurrency }: Measurement): Promise<Measured> => {
  const { sqs, limits, stop } = await startWorld()
  const arrivals = new Map<string, { readonly at: number; readonly order: number }>()
  const closing = new AbortController()
  const receiver = await startReceiver({
    respond: async ({ path, headers }) => {
      const index = Number(path.slice(1))
      const id = `${headers['webhook-id']}`
      if (!arrivals.has(id)) arrivals.set(id, { at: Date.now(), order: arrivals.size })
      if (withBad && index === DEAD) return new Promise(() => {})
      await sleep(withBad && index === SLOW ? SLOW_MS : GOOD_MS, undefined, { signal: closing.signal }).catch(() => {})
      return {}
    },
  })
  const owners = await subscribeAll(receiver)
  const pipeline = await startPipeline(sqs, 'isolation', concurrency, (line) => process.stderr.write(`${line}\n`))
  const told = new Map<string, { readonly at: number; readonly place: number }>()
  const started = Date.now()
  for (let count = 0; count < seconds * rate; count++) {
    const ahead = started + (count * 1000) / rate - Date.now()
    if (ahead > 1) await sleep(ahead)
    const index = count % DESTINATIONS
    const owner = owners[index]!
    const event_id = `e${count}`
    const at = Date.now()
    if (index !== DEAD && index !== SLOW && at - started > WARM_UP_MS) told.set(event_id, { at, place: count })
    await pipeline.tell([anEvent({ event_id, owner, lead_id: owner, event_time: at, lead: aLead({ id: owner, owner }) })])
  }
  const end = Date.now() + PATIENCE_MS
  while ([...told.keys()].some((id) => !arrivals.has(id)) && Date.now() < end) await sleep(50)
  closing.abort()
  await receiver.close()
  await pipeline.stop()
  await stop()
  const missing = { at: end, order: Number.POSITIVE_INFINITY }
  const arrived = [...told].map(([id, { at, place }]) => ({ at, place, arrival: arrivals.get(id) ?? missing }))
  const delays = arrived.map(({ at, place, arrival }) => ({
    ms: arrival.at - at,
    overtaken: arrived.filter((other) => other.place > place && other.arrival.order < arrival.order).length,
  }))
  return { delays, loads: limits.seen() }
}

// Runs in its own process, so that both measurements run at the same time on the same machine.
if (process.argv[2]) process.stdout.write(JSON.stringify(await measure(JSON.parse(process.argv[2]))))
