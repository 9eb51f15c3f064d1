import { MOST_OPEN } from '#shared/webhooks/rules/pace.ts'
import { count } from '../../reference/costs/quantities.ts'
import { ASSUMED } from '../../reference/costs/workload.ts'
import { DELIVERIES_A_RUN } from '../../worker-concurrency.ts'
import { type Demand, PARTS, REPORTS_OF_CALL } from './demand.ts'

interface QuotaDetails {
  /** Name of the service for people, and its code in Service Quotas. */
  readonly title: string
  readonly service: string
  /** As the console names it. */
  readonly name: string
  /** The value that a load needs, as an upper estimate. */
  readonly needed: (demand: Demand) => number
  /** The formula in words. */
  readonly why: string
}

/** A quota that Service Quotas reads and raises. */
interface ListedQuota extends QuotaDetails {
  readonly code: string
}

/** A limit that AWS documents, and that has no code here. */
interface DocumentedQuota extends QuotaDetails {
  readonly code: null
  readonly value: number
  /** Whether, and how, it can be raised. */
  readonly remedy: string
}

export type Quota = ListedQuota | DocumentedQuota

const perPart = (amount: keyof typeof PARTS.call & keyof typeof PARTS.lane): string => {
  const parts = [
    [PARTS.request[amount], 'a request'],
    [PARTS.call[amount], 'a call'],
    [PARTS.delivery[amount], 'a delivery'],
    [PARTS.lane[amount], 'a lane of an upload'],
  ] as const
  return parts.flatMap(([number, name]) => (number > 0 ? [`${count(number)} for ${name}`] : [])).join(', ')
}

const { milliseconds } = ASSUMED

/**
 * The quotas that a busy service can reach. Codes are from AWS's lists of quotas. Left out: DynamoDB's account-level throughput, which is
 * only for provisioned tables; Secrets Manager, which is asked once by each sandbox; S3, which has none that matters here.
 */
export const QUOTAS: readonly Quota[] = [
  {
    title: 'Lambda',
    service: 'lambda',
    name: 'Concurrent executions',
    code: 'L-B99A9384',
    needed: ({ executions }) => executions,
    why: `requests × ${milliseconds['leads/create']} ms, six reports of agents for each call × ${milliseconds['agents/call-events']} ms, events × ${milliseconds['workers/publish-changes'] + milliseconds['workers/count-changes']} ms, and the highest concurrency of each worker of a queue`,
  },
  {
    title: 'Lambda',
    service: 'lambda',
    name: 'Growth of one function in ten seconds',
    code: null,
    value: 1_000,
    remedy: 'AWS does not raise it. Divide the load among several regions or accounts.',
    needed: ({ busiest }) => busiest,
    why: 'executions of the busiest function',
  },
  {
    title: 'API Gateway',
    service: 'apigateway',
    name: 'Throttle rate',
    code: 'L-8A5B8E43',
    needed: ({ requests }) => requests,
    why: perPart('requests'),
  },
  {
    title: 'DynamoDB',
    service: 'dynamodb',
    name: 'Table-level read throughput limit',
    code: 'L-CF0CBE56',
    needed: ({ read }) => read,
    why: perPart('read'),
  },
  {
    title: 'DynamoDB',
    service: 'dynamodb',
    name: 'Table-level write throughput limit',
    code: 'L-AB614373',
    needed: ({ write }) => write,
    why: perPart('write'),
  },
  {
    title: 'EventBridge',
    service: 'events',
    name: 'PutEvents throttle limit in transactions per second',
    code: 'L-9B653E91',
    needed: ({ events }) => events,
    why: perPart('events'),
  },
  {
    title: 'EventBridge',
    service: 'events',
    name: 'Invocations throttle limit in transactions per second',
    code: 'L-5540C5E3',
    needed: ({ events }) => events,
    why: perPart('events'),
  },
  {
    title: 'SQS',
    service: 'sqs',
    name: 'In-flight messages per standard queue',
    code: null,
    value: 120_000,
    remedy: 'Ask for more in a case for AWS Support.',
    needed: ({ inFlight }) => inFlight,
    why: `${DELIVERIES_A_RUN} for each run of the delivery worker, besides ${MOST_OPEN} that wait for slow receivers`,
  },
  {
    title: 'KMS',
    service: 'kms',
    name: 'Cryptographic operations (symmetric) request rate',
    code: 'L-6E3AF000',
    needed: ({ decryptions }) => decryptions,
    why: `${1 + REPORTS_OF_CALL} for a call, 1 for a delivery`,
  },
]
