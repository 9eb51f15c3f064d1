import { METRIC_NAMESPACE, METRICS } from '#shared/platform/metrics.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'

const WORDS = { Count: 'count', Milliseconds: 'ms' } as const

/** Every metric of the dashboard and the alarms. */
export const metricsPage = (): string =>
  markdownPage(
    '# Metrics',
    `CloudWatch keeps the metrics under ${code(METRIC_NAMESPACE)} by \`stage\`, and \`failures\` also by \`function\`. Functions write them into the
logs, in the embedded metric format. The local service writes them only at the level \`DEBUG\`. Counts are sums over one event or request. A
change that arrives twice, or an attempt that runs twice, counts twice.`,
    markdownTable(
      ['Metric', 'Unit', 'What it tells'],
      METRICS.map(({ name, unit, tells }) => [code(name), WORDS[unit], tells]),
    ),
  )
