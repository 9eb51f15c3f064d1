import type { Deployed } from '../template.ts'
import { costOf, type Priced } from './prices.ts'
import { COUNTED, type CountedUnits, REPORTS } from './quantities.ts'

/** Values that are not counted: durations of functions, and sizes of logs. */
export const ASSUMED = {
  /** Milliseconds of a run. */
  milliseconds: {
    'leads/create': 80,
    'agents/call-events': 60,
    'workers/publish-changes': 40,
    'workers/count-changes': 40,
    'workers/match-webhooks': 60,
    'workers/deliver-webhook': 300,
    'workers/place-call': 500,
    'workers/dispatch-due': 200,
  },
  /** Milliseconds for each lead, in a run with many. */
  millisecondsEach: { 'leads/bulk-create': 15, 'workers/ingest-csv': 5 },
  /** Bytes that a run logs, including Lambda's own lines, and bytes of a request in the access log. */
  bytesOfRun: 1_000,
  bytesOfRequest: 500,
  /** Rows of a file. */
  rowsOfFile: 1_000,
  /** Requests of Lambda to each queue in a minute: five pollers, which wait for 20 seconds each. */
  asksOfQueueAMinute: 15,
} as const

/** SQS: send, receive and delete. */
const REQUESTS_OF_MESSAGE = 3

type Worker = keyof typeof ASSUMED.milliseconds
type Amounts = Partial<Readonly<Record<Priced, number>>>

interface Work {
  readonly units: CountedUnits
  /** Requests to the API. */
  readonly requests: number
  /** Runs of functions that handle one thing at a time. */
  readonly runs: Partial<Readonly<Record<Worker, number>>>
  /** Objects put to S3. */
  readonly puts?: number
  /** The function that handles many things at once, if there is one. */
  readonly shares?: keyof typeof ASSUMED.millisecondsEach
}

/** At low load: each event is published by a run of its own, and matched by another. A third run counts the change for statistics. */
const eventRuns = (events: number) => ({
  'workers/publish-changes': events,
  'workers/count-changes': events,
  'workers/match-webhooks': events,
})

const reports = (kind: keyof typeof REPORTS): number => Object.keys(REPORTS[kind]).length

const call = (kind: keyof typeof REPORTS): Work => ({
  units: COUNTED[kind],
  requests: reports(kind),
  runs: { 'workers/place-call': 1, 'agents/call-events': reports(kind), ...eventRuns(COUNTED[kind].events) },
})

export const WORK = {
  create: { units: COUNTED.create, requests: 1, runs: { 'leads/create': 1, ...eventRuns(COUNTED.create.events) } },
  bulkCreate: { units: COUNTED.bulkCreate, requests: 0.001, runs: eventRuns(COUNTED.bulkCreate.events), shares: 'leads/bulk-create' },
  row: { units: COUNTED.row, requests: 0, puts: 2 / ASSUMED.rowsOfFile, runs: eventRuns(COUNTED.row.events), shares: 'workers/ingest-csv' },
  unansweredCall: call('unansweredCall'),
  transferredCall: call('transferredCall'),
  delivery: { units: COUNTED.delivery, requests: 0, runs: { 'workers/deliver-webhook': 1 } },
  sweep: { units: COUNTED.sweep, requests: 0, runs: { 'workers/dispatch-due': 1 } },
} as const satisfies Readonly<Record<string, Work>>

const GIGABYTE = 1024

/** Amounts of each priced thing, for a number of things of a kind. */
export const amountsOf = ({ units, requests, runs, puts = 0, shares }: Work, times: number, deployed: Deployed): Amounts => {
  const started = Object.entries(runs)
  const lasting = (milliseconds: number, name: string) => (milliseconds / 1000) * (deployed.memoryOf(name) / GIGABYTE)
  const seconds = started.map(([name, count]) => {
    const milliseconds = Object.entries(ASSUMED.milliseconds).find(([other]) => other === name)?.[1] ?? 0
    return count * lasting(milliseconds, name)
  })
  const shared = shares ? lasting(ASSUMED.millisecondsEach[shares], shares) : 0
  const invocations = started.reduce((sum, [, count]) => sum + count, 0)
  const logged = invocations * ASSUMED.bytesOfRun + requests * ASSUMED.bytesOfRequest
  return {
    reads: times * units.read,
    writes: times * units.write,
    requests: times * requests,
    invocations: times * invocations,
    gigabyteSeconds: times * (seconds.reduce((sum, one) => sum + one, 0) + shared),
    queueRequests: times * REQUESTS_OF_MESSAGE * (units.messages + units.events),
    events: times * units.events,
    objectPuts: times * puts,
    logGigabytes: (times * logged) / GIGABYTE ** 3,
  }
}

const only = (amounts: Amounts, kinds: readonly Priced[]): Amounts =>
  Object.fromEntries(Object.entries(amounts).filter(([kind]) => kinds.some((one) => one === kind)))

/** Dollars for the table, functions, the API, queues and events, logs and files, in this order. */
export const partsOf = (amounts: Amounts): readonly number[] =>
  (
    [
      ['reads', 'writes'],
      ['invocations', 'gigabyteSeconds'],
      ['requests'],
      ['queueRequests', 'events'],
      ['logGigabytes', 'objectPuts'],
    ] as const
  ).map((kinds) => costOf(only(amounts, kinds)))
