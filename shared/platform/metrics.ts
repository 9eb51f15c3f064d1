import { CALL_OUTCOMES } from '../calling/call.ts'
import { realNow } from './clock.ts'
import { setting } from './environment.ts'

/** Where CloudWatch keeps them, by `stage`. None is of a lead or a user, which would cost by their number. */
export const METRIC_NAMESPACE = 'LeadOutreach'

const ENDS = [...CALL_OUTCOMES, 'FAILED'] as const

const each = <const N extends string>(prefix: 'calls' | 'deliveries' | 'requests', names: readonly N[], tells: (name: N) => string) =>
  names.map((name) => ({ name: `${prefix}_${name}` as const, unit: 'Count' as const, tells: tells(name) }))

/**
 * By `function` as well, for alarms to tell which one it is: to Lambda a run that answers 500, or which of its messages failed, is no
 * error. A metric costs in the hours in which it is written, and this one is written only when something fails.
 */
export const FAILURES = {
  name: 'failures',
  unit: 'Count',
  tells: 'Of each function: requests answered 5xx, and messages that it failed to handle.',
} as const

/** All that is measured, in the order of what befalls a lead. */
export const METRICS = [
  ...each('requests', ['2xx', '3xx', '4xx', '5xx'], (statuses) => `Requests that were answered ${statuses}.`),
  { name: 'rows_ingested', unit: 'Count', tells: 'Rows of uploaded files that created, changed or left a lead as it was.' },
  { name: 'rows_rejected', unit: 'Count', tells: 'Rows of uploaded files that were refused.' },
  { name: 'calls_started', unit: 'Count', tells: 'Calls whose intent was written.' },
  {
    name: 'call_lateness',
    unit: 'Milliseconds',
    tells: 'From the instant that a call was due to the one at which its intent was written.',
  },
  { name: 'ids_taken', unit: 'Count', tells: 'Ids that have been handed out since the service was set up, as the sweep finds them.' },
  { name: 'leads_overdue', unit: 'Count', tells: 'Leads whose call is overdue by more than a minute, as the sweep finds them.' },
  ...each('calls', ENDS, (outcome) =>
    outcome === 'FAILED' ? 'Calls that were refused, or whose fate is not known.' : `Calls that ended with the outcome ${outcome}.`,
  ),
  ...each(
    'deliveries',
    ['delivered', 'pending', 'failed', 'disabled'],
    (status) => `Attempts to deliver a webhook that left it ${status}.`,
  ),
  { name: 'delivery_duration', unit: 'Milliseconds', tells: 'What destinations of webhooks take to answer.' },
  FAILURES,
] as const

type AnyName = (typeof METRICS)[number]['name']

/** Of those that are of the whole stage. */
export type MetricName = Exclude<AnyName, typeof FAILURES.name>

const UNITS = new Map<AnyName, 'Count' | 'Milliseconds'>(METRICS.map(({ name, unit }) => [name, unit]))

/** As many values of one metric as a line may carry. */
const MOST_VALUES = 100

/** By name: of what is counted the sum, of what is measured each value. */
const values = new Map<MetricName, number[]>()

/** One line, which CloudWatch reads by itself. */
const write = (dimensions: Readonly<Record<string, string>>, told: ReadonlyMap<AnyName, readonly number[]>): void => {
  const Metrics = [...told.keys()].map((Name) => ({ Name, Unit: UNITS.get(Name) }))
  const directive = { Namespace: METRIC_NAMESPACE, Dimensions: [Object.keys(dimensions)], Metrics }
  const line = { _aws: { Timestamp: realNow(), CloudWatchMetrics: [directive] }, ...dimensions, ...Object.fromEntries(told) }
  // Not through the console: Lambda's would write a time and a level before it.
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Writes what was measured since the last time. */
export const flushMetrics = (): void => {
  if (values.size === 0) return
  write({ stage: setting('STAGE') }, values)
  values.clear()
}

/** Writes how much failed in a run that is no error to Lambda. */
export const tellFailures = (functionName: string | undefined, count: number): void => {
  const stage = setting('STAGE')
  if (stage !== '' && functionName !== undefined && count > 0) write({ stage, function: functionName }, new Map([[FAILURES.name, [count]]]))
}

/** Adds to what is written when the event at hand has been handled. Nothing is measured where there is no stage to measure it for. */
export const measure = (name: MetricName, value = 1): void => {
  if (setting('STAGE') === '') return
  if (UNITS.get(name) === 'Count') return void values.set(name, [(values.get(name)?.[0] ?? 0) + value])
  if (values.get(name)?.length === MOST_VALUES) flushMetrics()
  values.set(name, [...(values.get(name) ?? []), value])
}
