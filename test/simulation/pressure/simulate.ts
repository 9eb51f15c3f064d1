import { ScanCommand } from '@aws-sdk/client-dynamodb'
import { dynamodbClient } from '#lib/local/events/start-event-sources.ts'
import { DEFAULT_SETTINGS } from '#lib/settings.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import { askForUrl } from '../ingestion/lanes/ask-for-url.ts'
import { bucketInMemory } from '../ingestion/lanes/bucket.ts'
import { connect } from '../ingestion/lanes/connect.ts'
import { loadSandboxes } from '../ingestion/lanes/sandboxes.ts'
import { type ReadFiles, sendFile, startWorkers } from '../ingestion/lanes/workers.ts'
import { chanceFrom } from '../lateness/chance.ts'
import { type EngineLine, openEngineLine } from '../lateness/engine-line.ts'
import { invocation } from '../lateness/invocations.ts'
import type { Plan } from '../lateness/plan.ts'
import { virtualQueue } from '../lateness/queue.ts'
import { seedPlan } from '../lateness/seed.ts'
import { startService } from '../lateness/service.ts'
import { setEnvironment } from '../lateness/surroundings.ts'
import { passTimeAtTable } from '../lateness/table-time.ts'
import { startVirtualTime, type VirtualTime } from '../lateness/virtual-time.ts'
import { newKeyLoads } from '../limits/key-loads.ts'
import { limitClient } from '../limits/limit-client.ts'
import { stopStream } from '../page-cost.ts'
import { type BulkCreate, startBulkClient } from './bulk-client.ts'
import { DELIVERY_QUEUE, type Deliver, startDeliveries } from './deliveries.ts'
import { fileOf } from './file.ts'
import type { Order, Size } from './order.ts'
import { countUses } from './uses.ts'

const EIGHT = Date.parse('2026-11-23T13:00:00Z')
/** Until all lines are in calls, and all work has found its pace. */
const WARM_UP = 20 * SECOND
/** The table takes less so long before that. What was begun at the former pace is tried again in the first seconds. */
const SETTLING = 5 * SECOND
/** The file, the bulk requests and the webhooks begin so long before that. */
const BEFORE = SETTLING + 3 * SECOND
const CALLS: ReturnType<Plan['callsOf']> = { answered: 0.3, ringing: [1, 3], talking: [2, 6], unanswered: [3, 6] }
/** No call is shorter. */
const SHORTEST = 3
/** As many as a lane may begin in a second, so the file does not end early. */
const ROWS_OF_LANE = 200
/** Processes that deliver webhooks. */
const DELIVERERS = 4
const BULK_SIZE = 200
const OWNERS = { calls: 1, file: 2, bulk: 3, webhooks: 4 }

const planOf = ({ lines, seconds }: Size): Plan => {
  const end = EIGHT + WARM_UP + seconds * SECOND
  const leads = Math.ceil(lines * (1 + (end - EIGHT) / SECOND / SHORTEST))
  return {
    ...{ name: 'pressure', start: EIGHT - MINUTE, end, owners: 4, allDue: EIGHT, crowd: undefined, fresh: [], resumed: undefined },
    ...{ lostSweeps: new Set(), duplicates: 0, isFair: true, plantedLateness: 0, callsOf: () => CALLS },
    leads: Array.from({ length: leads }, () => ({ owner: OWNERS.calls, due: EIGHT })),
    linesOf: (owner) => (owner === OWNERS.calls ? lines : 1),
  }
}

/** Calls whose result is not known. */
const countUnknown = async ({ url, tableName: TableName }: Engine): Promise<number> => {
  const table = dynamodbClient(url)
  let count = 0
  for (let ExclusiveStartKey: Record<string, never> | undefined, isMore = true; isMore; ) {
    const page = await table.send(
      new ScanCommand({ TableName, FilterExpression: 'attribute_exists(unknown_time)', Select: 'COUNT', ExclusiveStartKey }),
    )
    count += page.Count ?? 0
    ExclusiveStartKey = page.LastEvaluatedKey as typeof ExclusiveStartKey
    isMore = ExclusiveStartKey !== undefined
  }
  table.destroy()
  return count
}

const play = async ({ size, deployment, most }: Order, time: VirtualTime, line: EngineLine, progress: (text: string) => void) => {
  const plan = planOf(size)
  const chance = chanceFrom(size.seed)
  const { client } = await import('#shared/platform/table/client.ts')
  const readers = await loadSandboxes<ReadFiles>('workers/ingest-csv', size.lanes)
  const bulks = await loadSandboxes<BulkCreate>('leads/bulk-create', size.bulks)
  const deliverers = await loadSandboxes<Deliver>('workers/deliver-webhook', DELIVERERS)
  const sandboxes = [...readers, ...bulks, ...deliverers]
  const clients = [client, ...sandboxes.map((sandbox) => sandbox.client)]
  const { uses, created, begin, watch } = countUses()
  watch(client, () => (invocation()?.kind === 'report' ? 'reports' : 'calls'))
  for (const sandbox of readers) watch(sandbox.client, () => 'file')
  for (const sandbox of bulks) watch(sandbox.client, () => 'bulk')
  for (const sandbox of deliverers) watch(sandbox.client, () => 'webhooks')
  for (const one of clients) line.carry(one)
  const limit: { write?: number } = {}
  const loads = newKeyLoads({ isCold: false, most: limit })
  const limits = limitClient({ clients, loads, now: time.now, sleep: time.sleep })

  const queueOf = (settings: { readonly visibilitySeconds: number; readonly maxReceives: number }) =>
    virtualQueue({ time, chance, ...settings, isFair: true, duplicates: 0, lateness: 0 })
  const queues = { ingestion: queueOf({ visibilitySeconds: 720, maxReceives: 5 }), deliveries: queueOf(DELIVERY_QUEUE) }
  const bytes = fileOf(size.lanes * ROWS_OF_LANE * ((BEFORE + SECOND * size.seconds) / SECOND))
  const bucket = bucketInMemory()
  const rows = bytes.toString().split('\n').length
  for (const sandbox of sandboxes) connect(sandbox, { time, chance, queues, bucket, bytesPerRow: bytes.length / rows })

  await seedPlan(plan)
  const { key, upload } = await askForUrl(OWNERS.file, plan.start)
  bucket.objects.set(key, bytes)
  const from = EIGHT + WARM_UP
  const service = await startService({ time, chance, plan, deployment })
  const span = { from: from - BEFORE, until: plan.end }
  const handlers = deliverers.map(({ handler }) => handler)
  const queue = queues.deliveries
  const webhooks = await startDeliveries({ time, chance, queue, handlers, owner: OWNERS.webhooks, ...span, perSecond: size.deliveries })
  startWorkers(readers, { time, chance, queue: queues.ingestion })
  await passTimeAtTable({ time, chance, slowness: 1, clients })
  limits.begin()
  const bulkClients: ReturnType<typeof startBulkClient>[] = []
  time.at(from - BEFORE, () => {
    sendFile(queues.ingestion, key, size.lanes)
    for (const [number, sandbox] of bulks.entries()) {
      const whose = { owner: OWNERS.bulk, client: number, size: BULK_SIZE }
      bulkClients.push(startBulkClient({ time, handler: sandbox.handler, ...whose, until: plan.end }))
    }
  })

  await time.run(from - SETTLING)
  if (most !== null) limit.write = most
  await time.run(from)
  begin()
  const units = loads.units.write
  for (let until = from; until < plan.end; ) {
    until = Math.min(plan.end, until + 5 * SECOND)
    await time.run(until)
    const { asked, ended } = service.journal
    const counts = Object.entries(uses).map(([kind, { leads, tries }]) => `${kind} ${leads}/${tries}`)
    progress(`${(until - from) / SECOND} s: ${asked.length - ended.length} calls in progress; leads/throttled: ${counts.join(', ')}`)
  }
  const counted = { uses: structuredClone(uses), units: (loads.units.write - units) / size.seconds }
  const reading = upload()
  await time.run(plan.end + SECOND)
  return { span: { ...span, from }, service, created, webhooks, bulkClients, upload: await reading, ...counted }
}

/** Plays one phase with its own engine. Only once per process, because it replaces the process's clock, pauses and requests. */
export const simulatePressure = async (order: Order, progress: (text: string) => void) => {
  setEnvironment()
  Object.assign(process.env, {
    INGESTION_QUEUE_URL: 'https://sqs.example.com/ingestion',
    SLOW_DELIVERY_QUEUE_URL: 'https://sqs.example.com/slow-deliveries',
    UPLOADS_BUCKET: 'uploads',
    PRIVATE_WEBHOOK_HOSTS: '',
    ROWS_PER_SECOND: `${DEFAULT_SETTINGS.fileRowsPerSecond / DEFAULT_SETTINGS.fileConcurrency}`,
  })
  const engine = await startEngine()
  const line = await openEngineLine(engine.url)
  try {
    await stopStream()
    const { time, restore } = startVirtualTime(EIGHT - MINUTE, chanceFrom(order.size.seed).next)
    try {
      return { ...(await play(order, time, line, progress)), unknownCalls: await countUnknown(engine) }
    } finally {
      restore()
    }
  } finally {
    line.close()
    await engine.stop()
  }
}

export type Played = Awaited<ReturnType<typeof simulatePressure>>
