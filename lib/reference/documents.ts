import { METRIC_NAMESPACE, METRICS } from '#shared/platform/metrics.ts'
import { openApiDocument } from '../openapi/document.ts'
import { KINDS } from '../ops/check/kinds.ts'
import { COLUMNS } from '../ops/records/columns.ts'
import { callingRulesPage } from './calling-rules.ts'
import { configurationPage } from './configuration.ts'
import { costsPage } from './costs/costs.ts'
import { eventsPage } from './events.ts'
import { hotKeysPage } from './hot-keys.ts'
import { limitsPage } from './limits.ts'
import { code, codeBlock, markdownPage, markdownTable } from './markdown.ts'
import { outcomesPage } from './outcomes.ts'
import { requestsFile } from './requests.ts'
import { routesPage } from './routes.ts'

/** Every kind of damage that the operator's tool finds. */
const damagePage = (): string =>
  markdownPage(
    '# Kinds of damage',
    `\`npm run ops -- check\` finds items of the table that contradict each other. It prints the command that repairs each finding:`,
    codeBlock('', 'npm run ops -- repair line-held 1/4711-2'),
    `[Check and repair](../operate.md#check-and-repair) says how much memory and disk a check needs, and how to split a check.`,
    markdownTable(
      ['Kind and where', 'What is wrong, and for whom that matters'],
      KINDS.map(({ kind, at, about }) => [code(`${kind} ${at}`), about]),
    ),
  )

const WORDS = { Count: 'count', Milliseconds: 'ms' } as const

/** Every metric of the dashboard and the alarms. */
const metricsPage = (): string =>
  markdownPage(
    '# Metrics',
    `CloudWatch keeps the metrics under ${code(METRIC_NAMESPACE)} by \`stage\`, and \`failures\` also by \`function\`. Functions write the
metrics into the logs, in the embedded metric format. The local service writes them only at the level \`DEBUG\`. A count is the sum of one run or
one request. Of times, each value is written, so percentiles are right. If a change arrives twice, or an attempt runs twice, it counts twice.`,
    markdownTable(
      ['Metric', 'Unit', 'What it tells'],
      METRICS.map(({ name, unit, meaning }) => [code(name), WORDS[unit], meaning]),
    ),
  )

/** The columns of the files that `records` writes. */
const recordsPage = (): string =>
  markdownPage(
    '# Files of records',
    `\`npm run ops -- records\` writes these files: see [Records for five years](../compliance.md#records-for-five-years). They are CSV files, which
gzip has compressed. The first line names the columns. Times are those of UTC, such as \`2026-11-20T16:00:00.000Z\`. An empty cell means unknown, or not
of this row. If a text begins like a formula, the cell has an apostrophe before it.`,
    ...Object.entries(COLUMNS).flatMap(([file, columns]) => [
      `## ${file}.csv.gz`,
      markdownTable(
        ['Column', 'Meaning'],
        Object.entries(columns).map(([name, meaning]) => [code(name), meaning]),
      ),
    ]),
  )

/** Generated references by file name. `from-stacks.ts` makes the one about alarms. */
export const documents = (): Readonly<Record<string, string>> => ({
  'calling-rules.md': callingRulesPage(),
  'configuration.md': configurationPage(),
  'costs.md': costsPage(),
  'damage.md': damagePage(),
  'events.md': eventsPage(),
  'hot-keys.md': hotKeysPage(),
  'limits.md': limitsPage(),
  'metrics.md': metricsPage(),
  'outcomes.md': outcomesPage(),
  'records.md': recordsPage(),
  'requests.http': requestsFile(openApiDocument()),
  'routes.md': routesPage(),
})
