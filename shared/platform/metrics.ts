import { CALL_OUTCOMES } from '../calling/call.ts'
import { realNow } from './clock.ts'
import { setting } from './environment.ts'

/** CloudWatch namespace. Metrics are kept by `stage`. None is per lead or per user, because each metric costs money. */
export const METRIC_NAMESPACE = 'LeadOutreach'

const ENDS = [...CALL_OUTCOMES, 'FAILED'] as const

const each = <const N extends string>(prefix: 'calls' | 'deliveries' | 'requests', names: readonly N[], describe: (name: N) => string) =>
  names.map((name) => ({ name: `${prefix}_${name}` as const, unit: 'Count' as const, meaning: describe(name) }))

/**
 * Also kept by `function`, so that an alarm can name it: Lambda does not count a 500 answer or a failed message as an error. A metric costs
 * money in each hour in which it is written. This one is written only after a failure.
 */
export const FAILURES = {
  name: 'failures',
  unit: 'Count',
  meaning: 'Per function: requests answered with 5xx, and messages that failed.',
} as const

/** All metrics, in the order of a lead's life. */
export const METRICS = [
  ...each('requests', ['2xx', '3xx', '4xx', '5xx'], (statuses) => `Requests that were answered ${statuses}.`),
  { name: 'rows_ingested', unit: 'Count', meaning: 'Rows of uploaded files that created, changed or confirmed a lead.' },
  { name: 'rows_rejected', unit: 'Count', meaning: 'Rows of uploaded files that were rejected.' },
  { name: 'calls_started', unit: 'Count', meaning: 'Call attempts that were begun.' },
  {
    name: 'call_lateness',
    unit: 'Milliseconds',
    meaning: 'Time from when a call was due until its attempt was begun.',
  },
  { name: 'ids_taken', unit: 'Count', meaning: 'Ids used since the service was set up, measured by the sweep.' },
  {
    name: 'leads_overdue',
    unit: 'Count',
    meaning:
      'Leads whose call is overdue by more than a minute although a line is free, measured by the sweep. While some lines are in use, leads that the sweep sends to free lines do not count.',
  },
  ...each('calls', ENDS, (outcome) =>
    outcome === 'FAILED' ? 'Calls that were refused, or whose result is unknown.' : `Calls that ended with the outcome ${outcome}.`,
  ),
  ...each(
    'deliveries',
    ['delivered', 'pending', 'failed', 'disabled'],
    (status) => `Delivery attempts after which the webhook was ${status}.`,
  ),
  { name: 'delivery_duration', unit: 'Milliseconds', meaning: 'Time that webhook destinations take to answer.' },
  FAILURES,
] as const

type AnyName = (typeof METRICS)[number]['name']

/** Metrics of the whole stage. */
export type MetricName = Exclude<AnyName, typeof FAILURES.name>

const UNITS = new Map<AnyName, 'Count' | 'Milliseconds'>(METRICS.map(({ name, unit }) => [name, unit]))

/** Most values of one metric that a line may hold. */
const MOST_VALUES = 100

/** By metric name: the sum of a count, or each measured value. */
const values = new Map<MetricName, number[]>()

/** Writes one line, which CloudWatch turns into metrics. */
const write = (dimensions: Readonly<Record<string, string>>, values: ReadonlyMap<AnyName, readonly number[]>): void => {
  const Metrics = [...values.keys()].map((Name) => ({ Name, Unit: UNITS.get(Name) }))
  const directive = { Namespace: METRIC_NAMESPACE, Dimensions: [Object.keys(dimensions)], Metrics }
  const line = { _aws: { Timestamp: realNow(), CloudWatchMetrics: [directive] }, ...dimensions, ...Object.fromEntries(values) }
  // Not through the console: Lambda would put a time and a level before the line.
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Writes the values since the last flush. */
export const flushMetrics = (): void => {
  if (values.size === 0) return
  write({ stage: setting('STAGE') }, values)
  values.clear()
}

/** Writes the number of failures in a run that Lambda counts as a success. */
export const recordFailures = (functionName: string | undefined, count: number): void => {
  const stage = setting('STAGE')
  if (stage !== '' && functionName !== undefined && count > 0) write({ stage, function: functionName }, new Map([[FAILURES.name, [count]]]))
}

/** Adds a value to the metrics, which are written at the end of the current event. Does nothing without a stage. */
export const measure = (name: MetricName, value = 1): void => {
  if (setting('STAGE') === '') return
  if (UNITS.get(name) === 'Count') return void values.set(name, [(values.get(name)?.[0] ?? 0) + value])
  if (values.get(name)?.length === MOST_VALUES) flushMetrics()
  values.set(name, [...(values.get(name) ?? []), value])
}
