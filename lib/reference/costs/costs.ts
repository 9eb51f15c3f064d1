import { FAILURES, METRICS } from '#shared/platform/metrics.ts'
import { code, markdownPage, markdownTable } from '../markdown.ts'
import { type Deployed, readDeployedTemplates } from '../template.ts'
import { costOf, PRICES, PRICES_OF, type Priced } from './prices.ts'
import { COUNTED, count } from './quantities.ts'
import { registryCosts } from './registry.ts'
import { ASSUMED, amountsOf, partsOf, WORK } from './workload.ts'

const THOUSAND = 1_000
const MINUTES_OF_A_MONTH = 30 * 24 * 60

/** Name of one thing of a kind, and of a thousand. */
const NAMES: Readonly<Record<keyof typeof COUNTED, readonly [one: string, many: string]>> = {
  create: ['lead created in a request of its own', 'leads created one by one'],
  bulkCreate: ['lead created in bulk', 'leads created in bulk, in one request'],
  row: ['row of a file that creates a lead', 'rows of a file that create leads'],
  unansweredCall: ['call that nobody answers', 'calls that nobody answers'],
  transferredCall: ['call that ends with a transfer', 'calls that end with a transfer'],
  delivery: ['delivery of a webhook', 'deliveries of webhooks'],
  sweep: ['sweep of the due index that finds nothing', 'sweeps of the due index that find nothing'],
}

const KINDS = ['create', 'bulkCreate', 'row', 'unansweredCall', 'transferredCall', 'delivery'] as const

const dollars = (amount: number, digits = 4): string => `$${amount.toFixed(digits)}`

const countedRow = (kind: keyof typeof COUNTED): string[] => {
  const { read, write, events, messages } = COUNTED[kind]
  return [NAMES[kind][0], ...[read, write, events, messages].map(count)]
}

const costRow = (kind: (typeof KINDS)[number], deployed: Deployed): string[] => {
  const amounts = amountsOf(WORK[kind], THOUSAND, deployed)
  return [`1,000 ${NAMES[kind][1]}`, ...partsOf(amounts).map((part) => dollars(part)), dollars(costOf(amounts), 3)]
}

const MONTHLY: readonly (readonly [Priced, type: string, name: string])[] = [
  ['alarms', 'AWS::CloudWatch::Alarm', 'alarms'],
  ['dashboards', 'AWS::CloudWatch::Dashboard', 'dashboards'],
  ['secrets', 'AWS::SecretsManager::Secret', 'secrets, of Secrets Manager'],
  ['keys', 'AWS::KMS::Key', 'keys, of KMS'],
  ['firewalls', 'AWS::WAFv2::WebACL', 'firewalls'],
]

type MonthlyCost = readonly [name: string, number: number, dollars: number]

const monthlyCosts = (deployed: Deployed): readonly MonthlyCost[] => {
  const asks = deployed.queues * ASSUMED.asksOfQueueAMinute * MINUTES_OF_A_MONTH
  const resources = MONTHLY.map(([kind, type, name]): MonthlyCost => {
    const number = deployed.count(type)
    return [name, number, costOf({ [kind]: number })]
  })
  const metrics = METRICS.filter(({ name }) => name !== FAILURES.name).length
  return [
    ...resources.filter(([, number]) => number > 0),
    ['metrics that the service records', metrics, costOf({ metrics })],
    [
      'sweeps of the due index, one each minute, that find nothing',
      MINUTES_OF_A_MONTH,
      costOf(amountsOf(WORK.sweep, MINUTES_OF_A_MONTH, deployed)),
    ],
    [`requests of Lambda to ${deployed.queues} queues for messages`, asks, costOf({ queueRequests: asks })],
  ]
}

const assumptions = [
  ...Object.entries(ASSUMED.milliseconds).map(([name, milliseconds]) => [`a run of ${code(name)}`, `${milliseconds} ms`]),
  ...Object.entries(ASSUMED.millisecondsEach).map(([name, milliseconds]) => [`a lead in a run of ${code(name)}`, `${milliseconds} ms`]),
  ['logs of a run, including those of Lambda', `${count(ASSUMED.bytesOfRun)} bytes`],
  ['rows of a file', count(ASSUMED.rowsOfFile)],
  ['requests of Lambda to an empty queue, each minute', count(ASSUMED.asksOfQueueAMinute)],
  ['line of the access log', `${count(ASSUMED.bytesOfRequest)} bytes`],
]

/** The costs of the service on AWS, calculated from counted units. */
export const costsPage = (): string => {
  const deployed = readDeployedTemplates()
  const month = monthlyCosts(deployed)
  return markdownPage(
    '# Costs',
    `This page estimates the bill from AWS. A test counts the table's units, events and messages on the engines of the local service. The
memory of functions and the fixed costs of a month come from the templates. The durations of functions are assumptions. The estimate leaves
out voice agents, phone lines, internet traffic, taxes and AWS's free allowances. It is rather too high: for example, it assumes one run of
a function for each change, but in busy hours one run handles hundreds of changes.`,
    '## A thousand of a kind',
    markdownTable(
      ['', 'DynamoDB', 'Lambda', 'API Gateway', 'SQS and EventBridge', 'Logs and S3', 'Total'],
      KINDS.map((kind) => costRow(kind, deployed)),
    ),
    `Leads and calls include their events and their statistics. Each matching subscription adds a delivery. If a lead is larger than 1 KB,
its DynamoDB costs grow in proportion. A lead that never answers its eight calls costs the sum of one lead, eight calls and their
deliveries.`,
    '## A month, whether or not anything happens',
    markdownTable(
      ['', 'Number', 'Costs'],
      [
        ...month.map(([name, number, cost]) => [name, count(number), dollars(cost, 2)]),
        [
          'total',
          '',
          dollars(
            month.reduce((sum, [, , cost]) => sum + cost, 0),
            2,
          ),
        ],
      ],
    ),
    `Each GB in the table adds ${dollars(costOf({ storedGigabytes: 1, backedUpGigabytes: 1 }), 2)} a month, with its point-in-time recovery. A function that
fails in every hour of a month adds ${dollars(costOf({ metrics: 1 }), 2)} for the metric of its failures.`,
    ...registryCosts(),
    '## What is counted',
    markdownTable(['', 'Read units', 'Write units', 'Events', 'Messages'], [...KINDS, 'sweep' as const].map(countedRow)),
    `Counts are for a lead below 1 KB, rounded to a half. At busy times, the service may need a few more read units. Each message and each
event needs three requests to SQS: send, receive and delete.`,
    '## What is assumed',
    markdownTable(['', ''], assumptions),
    '## Prices',
    `These are public prices of ${PRICES_OF}: US dollars in us-east-1, on demand. If your prices differ, write them into
\`lib/reference/costs/prices.ts\` and run \`npm run generate\`.`,
    markdownTable(
      ['What', 'Costs'],
      Object.values(PRICES).map(({ dollars: price, per, unit }) => [per === 1 ? unit : `${count(per)} ${unit}`, `$${price}`]),
    ),
  )
}
