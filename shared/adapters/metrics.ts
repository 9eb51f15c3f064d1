import { CALL_OUTCOMES } from '../schema/call.ts'

/** Where CloudWatch keeps them. Each has one dimension, `stage`: none is of a lead or a user, which would cost by their number. */
export const METRIC_NAMESPACE = 'LeadOutreach'

const ENDS = [...CALL_OUTCOMES, 'FAILED'] as const

const each = <const N extends string>(prefix: 'calls' | 'deliveries' | 'requests', names: readonly N[], tells: (name: N) => string) =>
  names.map((name) => ({ name: `${prefix}_${name}` as const, unit: 'Count' as const, tells: tells(name) }))

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
] as const

export type MetricName = (typeof METRICS)[number]['name']
