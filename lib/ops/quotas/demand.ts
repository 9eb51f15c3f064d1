import * as v from 'valibot'
import { SECOND } from '#shared/platform/values/durations.ts'
import { MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { MOST_OPEN } from '#shared/webhooks/rules/pace.ts'
import { COUNTED, REPORTS } from '../../reference/costs/quantities.ts'
import { ASSUMED } from '../../reference/costs/workload.ts'
import { DEFAULT_SETTINGS, Settings } from '../../settings.ts'
import { CALLS_A_RUN, DELIVERIES_A_RUN, WORKER_CONCURRENCY } from '../../worker-concurrency.ts'

/** The load of the service in its busiest second. */
export interface Load {
  readonly callsPerSecond: number
  /** Requests of clients, each of which creates a lead. */
  readonly requestsPerSecond: number
  /** Events that a subscription matches. Each causes a delivery. */
  readonly eventsPerSecond: number
  /** Files at the same time. Each may have as many lanes as a file can have. */
  readonly uploads: number
}

/** Fits the quotas that an account has after its first weeks, in the large regions. In others, a large file needs more events. */
export const DEFAULT_LOAD: Load = { callsPerSecond: 20, requestsPerSecond: 50, eventsPerSecond: 100, uploads: 1 }

const { milliseconds } = ASSUMED

/** The call that costs most. */
const CALL = COUNTED.transferredCall
/** Reports of the voice agent about such a call. */
export const REPORTS_OF_CALL = Object.keys(REPORTS.transferredCall).length
/** Milliseconds. The calls of a run share its processor, so a full run takes longer than a run of one call. */
const FULL_RUN_OF_CALLS = 2 * milliseconds['workers/place-call']
/** Most rows of a lane that one run writes in a second. */
export const ROWS_OF_LANE = DEFAULT_SETTINGS.fileRowsPerSecond / DEFAULT_SETTINGS.fileConcurrency

/** Units, events and requests of one call, request, delivery, or second of a lane of an upload. */
export const PARTS = {
  call: { ...CALL, requests: REPORTS_OF_CALL },
  request: { ...COUNTED.create, requests: 1 },
  delivery: { ...COUNTED.delivery, requests: 0 },
  lane: {
    read: COUNTED.row.read * ROWS_OF_LANE,
    write: COUNTED.row.write * ROWS_OF_LANE,
    events: COUNTED.row.events * ROWS_OF_LANE,
    requests: 0,
  },
} as const

type Amount = 'read' | 'write' | 'events' | 'requests'

const GROWN = ['requestsPerSecond', 'callConcurrency', 'deliveryConcurrency', 'warmReadUnits', 'warmWriteUnits'] as const

/** A setting of the deployment that a load can outgrow. */
type Grown = (typeof GROWN)[number]

export interface Demand extends Readonly<Record<Amount, number>> {
  /** Concurrent runs of all functions. */
  readonly executions: number
  /** Concurrent runs of the function that has the most. */
  readonly busiest: number
  /** Messages that a queue has handed out at the same time. */
  readonly inFlight: number
  /** Decryptions a second, if no run finds a data key in its cache. */
  readonly decryptions: number
  readonly settings: Readonly<Record<Grown, number>>
}

/**
 * The use of AWS by a load, mostly per second. An upper estimate: every call counts as the dearest kind, and every message has its own run.
 */
export const demandOf = ({ callsPerSecond, requestsPerSecond, eventsPerSecond, uploads }: Load): Demand => {
  const lanes = Math.min(uploads * MOST_LANES, DEFAULT_SETTINGS.fileConcurrency)
  const sudden = (amount: Amount): number =>
    callsPerSecond * PARTS.call[amount] + requestsPerSecond * PARTS.request[amount] + eventsPerSecond * PARTS.delivery[amount]
  const sum = (amount: Amount): number => sudden(amount) + lanes * PARTS.lane[amount]
  const events = sum('events')
  const settings = {
    requestsPerSecond: Math.max(DEFAULT_SETTINGS.requestsPerSecond, sum('requests')),
    callConcurrency: Math.max(DEFAULT_SETTINGS.callConcurrency, (callsPerSecond * FULL_RUN_OF_CALLS) / SECOND / CALLS_A_RUN),
    deliveryConcurrency: Math.max(
      DEFAULT_SETTINGS.deliveryConcurrency,
      (eventsPerSecond * milliseconds['workers/deliver-webhook']) / SECOND / DELIVERIES_A_RUN,
    ),
    // Lanes begin slowly, so the table grows with them.
    warmReadUnits: Math.max(DEFAULT_SETTINGS.warmReadUnits, sudden('read')),
    warmWriteUnits: Math.max(DEFAULT_SETTINGS.warmWriteUnits, sudden('write')),
  }
  const runs = [
    (requestsPerSecond * milliseconds['leads/create']) / SECOND,
    (callsPerSecond * REPORTS_OF_CALL * milliseconds['agents/call-events']) / SECOND,
    (events * milliseconds['workers/publish-changes']) / SECOND,
    (events * milliseconds['workers/count-changes']) / SECOND,
    // The sweep.
    1,
    lanes,
    // Slow destinations and agents keep the workers of queues busy, so each takes all that it may.
    settings.callConcurrency,
    settings.deliveryConcurrency + DEFAULT_SETTINGS.slowDeliveryConcurrency,
    WORKER_CONCURRENCY.matchWebhooks,
    WORKER_CONCURRENCY.applyUpdates,
    WORKER_CONCURRENCY.contactEvents,
  ]
  return {
    read: sum('read'),
    write: sum('write'),
    events,
    requests: sum('requests'),
    executions: runs.reduce((total, some) => total + Math.ceil(some), 0),
    busiest: Math.max(...runs),
    inFlight: Math.max(settings.deliveryConcurrency, DEFAULT_SETTINGS.slowDeliveryConcurrency) * (DELIVERIES_A_RUN + MOST_OPEN),
    decryptions: callsPerSecond * (1 + REPORTS_OF_CALL) + eventsPerSecond,
    settings,
  }
}

interface GrownSetting {
  readonly name: Grown
  readonly default: number
  readonly needed: number
  /** Why the setting cannot be as high; null if it can. */
  readonly problem: string | null
}

/** The settings that a load needs above their defaults. */
export const grownSettings = ({ settings }: Demand): GrownSetting[] =>
  GROWN.map((name) => {
    const needed = Math.ceil(settings[name])
    const { issues } = v.safeParse(Settings.entries[name], needed)
    return { name, default: DEFAULT_SETTINGS[name], needed, problem: issues ? issues[0].message : null }
  }).filter((setting) => setting.needed > setting.default)
