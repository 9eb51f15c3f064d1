import { setTimeout as sleep } from 'node:timers/promises'
import { SQSClient } from '@aws-sdk/client-sqs'
import { now } from '#shared/platform/clock.ts'
import { RETRY_KEYS } from '#shared/platform/keys.ts'
import type { Cursor } from '#shared/platform/values/cursor.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import type { Delivery } from '#shared/webhooks/webhook.ts'
import { runClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { aLead, anEvent, aSubscription } from '#test/support/webhook-fixtures.ts'
import { OWNER, startWorld } from '#test/support/world.ts'
import { startPipeline } from '../isolation/pipeline.ts'
import { startLimits } from '../limits/start-limits.ts'
import { stopStream } from '../page-cost.ts'
import { startFlakyReceiver } from './flaky-receiver.ts'

export interface Plan {
  readonly events: number
  readonly restarts: number
  readonly seed: number
}

const SUBSCRIPTION = 42
const PAGE = 100
const RESTART_MS = 300
/** Timeout of a request. Long enough that a hanging destination counts as slow. Milliseconds. */
const TIMEOUT_MS = 2_300
const CONCURRENCY = { match: 4, deliver: 10, slow: 6 }
/** Real milliseconds without a request, after which the clock skips to the next one. */
const QUIET_MS = 1_500
/** Skips in a row that bring no request; then the simulation stops. */
const MOST_SKIPS = 20
const MOST_ATTEMPTS = 10
/** Real milliseconds without a request and with nothing due; then the log shows whether all is over. */
const OVER_MS = 15_000
/** Real milliseconds without a request, after which a missing one is lost. Longer than any message is delayed. */
const LOST_MS = 15 * 60_000
const SWEPT_BACK_MS = 55_000

/** The whole log, page by page. */
const walkLog = async (until: number): Promise<Delivery[]> => {
  const { pageOfLog } = await import('#shared/webhooks/delivery-log.ts')
  const pageAt = (place: Cursor | 1) => pageOfLog({ id: SUBSCRIPTION, owner: OWNER, created_time: NOON }, until, { size: PAGE, place })
  let page = await pageAt(1)
  const found = [...page.deliveries]
  while (typeof page.next === 'object') {
    page = await pageAt(page.next)
    found.push(...page.deliveries)
  }
  return found
}

type Heard = Awaited<ReturnType<typeof startFlakyReceiver>>['heard']

/**
 * A restart may cut off an answer: the log then has the attempt without its status. A hung request may have moved to the slow lane without
 * an attempt.
 */
const isAllLogged = (attempts: Delivery['attempts'], answers: readonly number[]): boolean => {
  const [failed, logged] = [answers.filter((answer) => answer === 500), attempts.filter(({ status_code }) => status_code === 500)]
  return logged.length <= failed.length && attempts.length >= answers.filter((answer) => answer !== 0).length
}

/** Whether all attempts of the schedule failed. */
const isGivenUp = ({ status, attempts, earlier_attempts }: Delivery): boolean =>
  status === 'failed' && attempts.length - earlier_attempts === MOST_ATTEMPTS && attempts.every(({ error }) => error !== null)

/** Compares the receiver's requests with the log. @returns what is wrong */
const faultsOf = (ids: readonly string[], heard: Heard, log: readonly Delivery[]): string[] => {
  const byEvent = Map.groupBy(log, ({ event_id }) => event_id)
  return ids.flatMap((id) => {
    const [delivery, ...more] = byEvent.get(id) ?? []
    const told = heard.get(id)
    if (!delivery || more.length > 0) return [`${id} is on the log ${more.length + (delivery ? 1 : 0)} times`]
    const { status, attempts } = delivery
    const success = [
      ...(status === 'delivered' ? [] : [`is ${status} after ${attempts.length} attempts`]),
      ...(told?.answers.includes(200) ? [] : ['was never taken']),
      ...(attempts.at(-1)?.status_code === 200 ? [] : ['has no success as its last attempt']),
    ]
    const faults = [
      ...(isGivenUp(delivery) ? [] : success),
      ...(told?.bodies.size === 1 ? [] : [`came with ${told?.bodies.size} bodies`]),
      ...(attempts.slice(0, -1).every(({ error }) => error !== null) ? [] : ['was sent again after a success']),
      ...(isAllLogged(attempts, told?.answers ?? []) ? [] : ['has less on its log than it was sent']),
    ]
    return faults.map((fault) => `${id} ${fault}`)
  })
}

const countOf = (heard: Heard, answer: number): number =>
  [...heard.values()].reduce((sum, { answers }) => sum + answers.filter((given) => given === answer).length, 0)

const requestsOf = (heard: Heard): number => [...heard.values()].reduce((sum, { answers }) => sum + answers.length, 0)

/** Sends events to a flaky destination, and skips the clock to their retries. @returns what is wrong */
export const simulateDeliveries = async ({ events, restarts, seed }: Plan, print: (line: string) => void): Promise<string[]> => {
  const limits = await startLimits()
  const world = await startWorld()
  runClock(NOON)
  // Nobody reads the stream, and the local engine writes more slowly the longer it is.
  await stopStream()
  process.env['WEBHOOK_TIMEOUT_MS'] = `${TIMEOUT_MS}`
  const receiver = await startFlakyReceiver(seed)
  const sqs = new SQSClient({ endpoint: world.queues.url, region: 'us-east-1', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } })
  const pipeline = await startPipeline(sqs, 'deliveries', CONCURRENCY, print)
  const [{ saveSubscription }, { overdueDeliveryPages }, { handler: sweep }] = await Promise.all([
    import('#shared/webhooks/subscription-store.ts'),
    import('#shared/webhooks/delivery-store.ts'),
    import('#functions/workers/dispatch-due.ts'),
  ])
  await saveSubscription(aSubscription({ id: SUBSCRIPTION, owner: OWNER, url: receiver.url, created_time: NOON }))
  const ids = Array.from({ length: events }, (_, index) => `event-${index}`)
  const taken = () => ids.filter((id) => receiver.heard.get(id)?.answers.includes(200)).length
  const earliestOf = async (key: string): Promise<number[]> => {
    for await (const page of overdueDeliveryPages(key, NOON + 60 * 86_400_000)) return page.slice(0, 1).map(({ due }) => due)
    return []
  }
  const earliest = async () => (await Promise.all(RETRY_KEYS.map(earliestOf))).flat().toSorted((a, b) => a - b)[0]
  /** Some events may have used up all attempts of the schedule. */
  const isOver = async () => {
    const log = await walkLog(now())
    return log.length === events && log.every(({ status }) => status !== 'pending')
  }

  let offset = 0
  try {
    const told = (async () => {
      for (let start = 0; start < events; start += 10) {
        const batch = ids.slice(start, start + 10).map((event_id, index) => {
          const lead = 10_000 + start + index
          return anEvent({ event_id, owner: OWNER, lead_id: lead, event_time: NOON, lead: aLead({ id: lead, owner: OWNER }) })
        })
        await pipeline.tell(batch)
        await sleep(20)
      }
    })()
    const restarted = (async () => {
      for (let count = 1; count <= restarts; count++) {
        const goal = Math.floor((events * count) / (restarts + 2))
        while (receiver.heard.size < goal) await sleep(50)
        await receiver.restart(RESTART_MS)
        print(`restarted after ${receiver.heard.size} events`)
      }
    })()
    let last = { count: -1, at: Date.now(), skips: 0 }
    while (taken() < events || (await earliest()) !== undefined) {
      await sleep(200)
      const count = requestsOf(receiver.heard)
      // Never skip while messages wait: the sweep would send slow ones again with every skip.
      if (count !== last.count) last = { count, at: Date.now(), skips: 0 }
      else if ((await pipeline.backlog()) > 0) last = { ...last, at: Date.now() }
      const due = await earliest()
      const quiet = Date.now() - last.at
      if (quiet > LOST_MS || (due === undefined && quiet > OVER_MS && (await isOver()))) break
      if (quiet < QUIET_MS || due === undefined) continue
      if (last.skips++ === MOST_SKIPS) break
      // A sweep looks back one minute, so this instant gathers what is due at about the same time. The clock never goes back.
      offset = Math.max(due - NOON + SWEPT_BACK_MS, now() - NOON + MINUTE)
      runClock(NOON + offset)
      await sweep()
    }
    await Promise.all([told, restarted])
    await sleep(TIMEOUT_MS)
    const log = await walkLog(now())
    const attempts = log.reduce((sum, delivery) => sum + delivery.attempts.length, 0)
    print(
      `${events} events: ${taken()} taken, ${countOf(receiver.heard, 500)} requests failed, ${countOf(receiver.heard, 0)} hung; ${log.length} deliveries, ${log.filter(isGivenUp).length} of them given up, with ${attempts} attempts on the log, over ${Math.round(offset / 360_000) / 10} hours of the service's time`,
    )
    return [...faultsOf(ids, receiver.heard, log), ...limits.report(print)]
  } finally {
    delete process.env['WEBHOOK_TIMEOUT_MS']
    await receiver.close()
    await pipeline.stop()
    sqs.destroy()
    await world.stop()
    await limits.stop()
  }
}
