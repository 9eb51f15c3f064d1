import { SECOND } from '#shared/platform/values/durations.ts'
import { startEngine } from '#test/support/engine.ts'
import { sampleLeadType } from '#test/support/samples.ts'
import { chanceFrom } from '../../lateness/chance.ts'
import { type EngineLine, openEngineLine } from '../../lateness/engine-line.ts'
import { virtualQueue } from '../../lateness/queue.ts'
import { setEnvironment } from '../../lateness/surroundings.ts'
import { passTimeAtTable } from '../../lateness/table-time.ts'
import { startVirtualTime, type VirtualTime } from '../../lateness/virtual-time.ts'
import { HOT } from '../../limits/hot-key-findings.ts'
import { type KeyLoads, newKeyLoads } from '../../limits/key-loads.ts'
import { limitClient } from '../../limits/limit-client.ts'
import { stopStream } from '../../page-cost.ts'
import { COLUMNS, END } from '../csv-text.ts'
import { startReference } from '../reference.ts'
import { rowsOf } from '../rows.ts'
import { askForUrl } from './ask-for-url.ts'
import { bucketInMemory } from './bucket.ts'
import { connect } from './connect.ts'
import { loadSandboxes } from './sandboxes.ts'
import { type ReadFiles, sendFile, startWorkers } from './workers.ts'

/** A file, and how many workers read it. */
export interface Order {
  readonly workers: number
  readonly rows: number
  readonly seed: number
}

export interface Result {
  /** Rows in a second of modelled time, from the file's arrival to its report. */
  readonly rate: number
  /** The busiest keys: each with its share of what a partition takes. */
  readonly busiest: readonly string[]
  /** How many requests were throttled. */
  readonly throttled: number
  readonly faults: readonly string[]
}

/** Night in all zones of the leads: nobody is called. */
const NIGHT = Date.parse('2026-11-20T06:30:00Z')
const LOOK = 10 * SECOND
const OWNER = 1

const fileOf = ({ rows, seed }: Order) => {
  const { take, counts } = startReference().take()
  const lines = [COLUMNS.join(',')]
  for (const row of rowsOf({ rows, seed, isContradictory: false, isInLanes: true })) {
    take(row)
    lines.push(row.text)
  }
  return { bytes: Buffer.from(lines.map((line) => line + END).join('')), counts }
}

const saveOwner = async (): Promise<void> => {
  const [{ saveUser }, { saveLeadType }] = await Promise.all([
    import('#shared/accounts/user-store.ts'),
    import('#shared/accounts/lead-type-store.ts'),
  ])
  await saveUser({ id: OWNER, name: 'Owner', default_lead_type: 4, dnc_group: '1', lines: 1, webhook_secrets: [] })
  await saveLeadType(sampleLeadType({ owner: OWNER }))
}

/** The load of the busiest key of each kind, in percent of what a partition takes. */
const busiestKeys = ({ peaks }: KeyLoads): [kind: string, percent: number][] => {
  const kinds = Map.groupBy(peaks(), ({ partition, kind }) => `${partition.replace(/#.*/, '')} ${kind}`)
  return [...kinds].map(([kind, [peak]]) => [kind, Math.round(100 * (peak?.share ?? 0))])
}

/** A block of an owner's list has 1,000 positions. So new leads write its key 1,000 times at most, and then that of the next block. */
const BOUNDED = 'by_owner OWNER write'

const simulate = async (order: Order, time: VirtualTime, line: EngineLine): Promise<Result> => {
  const chance = chanceFrom(order.seed)
  const { bytes, counts } = fileOf(order)
  const sandboxes = await loadSandboxes<ReadFiles>('workers/ingest-csv', order.workers)
  await saveOwner()
  const { key, upload } = await askForUrl(OWNER, NIGHT)
  const bucket = bucketInMemory()
  bucket.objects.set(key, bytes)
  const queue = virtualQueue({ time, chance, visibilitySeconds: 720, maxReceives: 5, isFair: true, duplicates: 0, lateness: 0 })
  const clients = sandboxes.map(({ client }) => client)
  for (const client of clients) line.carry(client)
  const loads = newKeyLoads({ isCold: false })
  const limits = limitClient({ clients, loads, now: time.now, sleep: time.sleep })
  for (const sandbox of sandboxes)
    connect(sandbox, { time, chance, queues: { ingestion: queue }, bucket, bytesPerRow: bytes.length / order.rows })
  await passTimeAtTable({ time, chance, slowness: 1, clients })
  limits.begin()
  startWorkers(sandboxes, { time, chance, queue })
  sendFile(queue, key, order.workers)
  for (let until = NIGHT + LOOK; ; until += LOOK) {
    await time.run(until)
    const { rows, created, updated, unchanged, rejected, status, error, finished_time } = await upload()
    if (finished_time === null) continue
    const [is, should] = [JSON.stringify({ rows, created, updated, unchanged, rejected }), JSON.stringify(counts)]
    const busiest = busiestKeys(loads)
    return {
      rate: (rows * SECOND) / (finished_time - NIGHT),
      busiest: busiest.map(([kind, percent]) => `${kind} ${percent} %`),
      throttled: [...loads.throttled.values()].reduce((sum, count) => sum + count, 0),
      faults: [
        ...(status === 'done' && error === null ? [] : [`the upload is ${status}: ${error}`]),
        ...(is === should ? [] : [`its counts are ${is} and should be ${should}`]),
        ...busiest.flatMap(([kind, percent]) =>
          percent > HOT && kind !== BOUNDED ? [`the key ${kind} takes ${percent} % of its limit, at most ${HOT}`] : [],
        ),
      ],
    }
  }
}

/** Reads a file with so many workers, with its own engine. Only once per process, because it replaces the process's clock and pauses. */
export const simulateWorkers = async (order: Order): Promise<Result> => {
  setEnvironment()
  Object.assign(process.env, { INGESTION_QUEUE_URL: 'https://sqs.example.com/ingestion', UPLOADS_BUCKET: 'uploads' })
  const engine = await startEngine()
  const line = await openEngineLine(engine.url)
  try {
    await stopStream()
    const { time, restore } = startVirtualTime(NIGHT, chanceFrom(order.seed).next)
    try {
      return await simulate(order, time, line)
    } finally {
      restore()
    }
  } finally {
    line.close()
    await engine.stop()
  }
}
