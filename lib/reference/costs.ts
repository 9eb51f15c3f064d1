import { FAILURES, METRICS } from '#shared/platform/metrics.ts'
import { COUNTED } from './counted.ts'
import { code, markdownPage, markdownTable } from './markdown.ts'
import { costOf, PRICES, PRICES_OF, type Priced } from './prices.ts'
import { count } from './quantities.ts'
import { type Deployed, readDeployedTemplates } from './template.ts'
import { ASSUMED, amountsOf, partsOf, WORK } from './workload.ts'

const THOUSAND = 1_000
const MINUTES_OF_A_MONTH = 30 * 24 * 60

/** One of a kind, and a thousand of it. */
const NAMES: Readonly<Record<keyof typeof COUNTED, readonly [one: string, many: string]>> = {
  create: ['lead created by itself', 'leads created one by one'],
  bulkCreate: ['lead created in bulk', 'leads created in bulk, all in a request'],
  row: ['row of a file that creates a lead', 'rows of a file that create leads'],
  unansweredCall: ['call that nobody answers', 'calls that nobody answers'],
  transferredCall: ['call that ends with a transfer', 'calls that end with a transfer'],
  delivery: ['delivery of a webhook', 'deliveries of webhooks'],
  sweep: ['sweep of what falls due that finds nothing', 'such sweeps'],
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

const STANDING: readonly (readonly [Priced, type: string, name: string])[] = [
  ['alarms', 'AWS::CloudWatch::Alarm', 'alarms'],
  ['dashboards', 'AWS::CloudWatch::Dashboard', 'dashboards'],
  ['secrets', 'AWS::SecretsManager::Secret', 'secrets, of Secrets Manager'],
  ['keys', 'AWS::KMS::Key', 'keys, of KMS'],
  ['firewalls', 'AWS::WAFv2::WebACL', 'firewalls'],
]

type Standing = readonly [name: string, number: number, dollars: number]

const standing = (deployed: Deployed): readonly Standing[] => {
  const asks = deployed.queues * ASSUMED.asksOfQueueAMinute * MINUTES_OF_A_MONTH
  const resources = STANDING.map(([kind, type, name]): Standing => {
    const number = deployed.count(type)
    return [name, number, costOf({ [kind]: number })]
  })
  const metrics = METRICS.filter(({ name }) => name !== FAILURES.name).length
  return [
    ...resources.filter(([, number]) => number > 0),
    ['metrics that are measured', metrics, costOf({ metrics })],
    [
      'sweeps of what falls due, one each minute, that find nothing',
      MINUTES_OF_A_MONTH,
      costOf(amountsOf(WORK.sweep, MINUTES_OF_A_MONTH, deployed)),
    ],
    [`requests by which Lambda asks ${deployed.queues} queues for messages`, asks, costOf({ queueRequests: asks })],
  ]
}

const assumptions = [
  ...Object.entries(ASSUMED.milliseconds).map(([name, milliseconds]) => [`a run of ${code(name)}`, `${milliseconds} ms`]),
  ...Object.entries(ASSUMED.millisecondsEach).map(([name, milliseconds]) => [`a lead in a run of ${code(name)}`, `${milliseconds} ms`]),
  ['logs of a run, those of Lambda included', `${count(ASSUMED.bytesOfRun)} bytes`],
  ['rows of a file', count(ASSUMED.rowsOfFile)],
  ['requests of Lambda to a queue that is empty, a minute', count(ASSUMED.asksOfQueueAMinute)],
  ['line of the access log', `${count(ASSUMED.bytesOfRequest)} bytes`],
]

/** What the service costs on AWS, of units that are counted. */
export const costsPage = (): string => {
  const deployed = readDeployedTemplates()
  const month = standing(deployed)
  return markdownPage(
    '# Costs',
    `What AWS asks for, as far as it can be told before: units of the table, events and messages are counted by a test, on the engines of the
local service; the memory of functions and what stands there all month are those of the templates; prices are in the last table. How long functions run
is assumed. Voice agents, phone lines, traffic to the internet and taxes are not in it, and neither is what AWS gives free of charge. Nothing is
rounded in your favour: every change is told by a run of its own, while in busy hours a run tells up to a hundred.`,
    '## A thousand of a kind',
    markdownTable(
      ['', 'DynamoDB', 'Lambda', 'API Gateway', 'SQS and EventBridge', 'Logs and S3', 'In all'],
      KINDS.map((kind) => costRow(kind, deployed)),
    ),
    `Leads with their event, calls with theirs; subscriptions to these cost a delivery each. A lead that is larger than 1 KB costs its part
more of DynamoDB. A lead that is called eight times in vain costs itself, eight calls, and the deliveries that somebody has asked for.`,
    '## A month, whether or not anything happens',
    markdownTable(
      ['', 'Number', 'Costs'],
      [
        ...month.map(([name, number, cost]) => [name, count(number), dollars(cost, 2)]),
        [
          'in all',
          '',
          dollars(
            month.reduce((sum, [, , cost]) => sum + cost, 0),
            2,
          ),
        ],
      ],
    ),
    `Beside it ${dollars(costOf({ storedGigabytes: 1, backedUpGigabytes: 1 }), 2)} a month for each GB in the table with its point-in-time recovery, and
${dollars(costOf({ metrics: 1 }), 2)} for the failures of a function that fails all month: they are measured only in hours in which there are any.`,
    '## What is counted',
    markdownTable(['', 'Read units', 'Write units', 'Events', 'Messages'], [...KINDS, 'sweep' as const].map(countedRow)),
    `To a half, of a lead of less than 1 KB; read units may be a few more where much happens at one moment. A message is three requests to SQS
(sent, handed out, deleted), and so is an event.`,
    '## What is assumed',
    markdownTable(['', ''], assumptions),
    '## Prices',
    `US dollars in us-east-1, on demand, as public in ${PRICES_OF}. Yours may differ: put them into \`lib/reference/prices.ts\` and run
\`npm run generate\`.`,
    markdownTable(
      ['What', 'Costs'],
      Object.values(PRICES).map(({ dollars: price, per, unit }) => [per === 1 ? unit : `${count(per)} ${unit}`, `$${price}`]),
    ),
  )
}
