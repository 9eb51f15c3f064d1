/** Year and month in which the prices were looked up. */
export const PRICES_OF = '2026-06'

/** US dollars for `per` units: on demand, in us-east-1, without the free tier. */
interface Price {
  readonly dollars: number
  readonly per: number
  readonly unit: string
}

/** Public prices of AWS. Put yours here if they differ, and run `npm run generate`. */
export const PRICES = {
  writes: { dollars: 0.625, per: 1e6, unit: 'DynamoDB write units' },
  reads: { dollars: 0.125, per: 1e6, unit: 'DynamoDB read units' },
  requests: { dollars: 3.5, per: 1e6, unit: 'requests to the REST API' },
  invocations: { dollars: 0.2, per: 1e6, unit: 'runs of Lambda functions' },
  gigabyteSeconds: { dollars: 0.0000133334, per: 1, unit: 'GB-second of Lambda on arm64' },
  queueRequests: { dollars: 0.4, per: 1e6, unit: 'requests to SQS' },
  events: { dollars: 1, per: 1e6, unit: 'events put on the bus of EventBridge' },
  objectPuts: { dollars: 0.005, per: 1e3, unit: 'objects put to S3, or parts of them' },
  logGigabytes: { dollars: 0.5, per: 1, unit: 'GB of CloudWatch Logs' },
  alarms: { dollars: 0.1, per: 1, unit: 'alarm of CloudWatch, a month' },
  metrics: { dollars: 0.3, per: 1, unit: "metric of the service's own, a month" },
  dashboards: { dollars: 3, per: 1, unit: 'dashboard of CloudWatch, a month' },
  secrets: { dollars: 0.4, per: 1, unit: 'secret of Secrets Manager, a month' },
  keys: { dollars: 1, per: 1, unit: 'key of KMS, a month' },
  firewalls: { dollars: 5, per: 1, unit: 'firewall (WAF), a month, without its rules and requests' },
  storedGigabytes: { dollars: 0.25, per: 1, unit: 'GB in DynamoDB, a month' },
  backedUpGigabytes: { dollars: 0.2, per: 1, unit: 'GB of point-in-time recovery, a month' },
} as const satisfies Readonly<Record<string, Price>>

export type Priced = keyof typeof PRICES

/** The cost of some amounts, in dollars. */
export const costOf = (amounts: Partial<Readonly<Record<Priced, number>>>): number =>
  Object.entries(PRICES).reduce((sum, [name, { dollars, per }]) => {
    const amount = Object.entries(amounts).find(([other]) => other === name)?.[1] ?? 0
    return sum + (amount * dollars) / per
  }, 0)
