import { METRIC_NAMESPACE, METRICS } from '#shared/platform/metrics.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

const WORDS = { Count: 'count', Milliseconds: 'ms' } as const

/** Every metric that the dashboard and alarms are made of. */
export const metricsPage = (): string =>
  markdownPage(
    '# Metrics',
    `CloudWatch keeps them under ${code(METRIC_NAMESPACE)} by \`stage\`, \`failures\` by \`function\` as well. They are written into the logs, in
the embedded metric format; the local service writes them at the level \`DEBUG\` only. Counts are summed over one event or request. A change
that is told twice, or an attempt that is made twice, is counted twice.`,
    markdownTable(
      ['Metric', 'Unit', 'What it tells'],
      METRICS.map(({ name, unit, tells }) => [code(name), WORDS[unit], tells]),
    ),
  )
