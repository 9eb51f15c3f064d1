import { setting } from '#shared/platform/environment.ts'
import type { Further } from '#shared/platform/queues/queue-consumer.ts'
import { takeRecords } from '#shared/platform/queues/queue-records.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { MOST_SLOW, SLOW_AFTER } from '#shared/webhooks/rules/pace.ts'

/** Milliseconds to read and write a delivery, in addition to its request. */
const AROUND = 5 * SECOND

const nameOf = (address: string): string | undefined => address.split(/[:/]/).at(-1)

/** While a run waits for slow destinations, it takes further deliveries from the same queue as its batch. */
export const furtherDeliveries = (arn: string): Further | undefined => {
  const lanes = [setting('DELIVERY_QUEUE_URL'), setting('SLOW_DELIVERY_QUEUE_URL')]
  const queueUrl = lanes.find((url) => nameOf(url) === nameOf(arn))
  if (queueUrl === undefined) return undefined
  const leastTime = setting('WEBHOOK_TIMEOUT_MS') + AROUND
  return { queueUrl, slowAfter: SLOW_AFTER, mostSlow: MOST_SLOW, leastTime, take: () => takeRecords(queueUrl) }
}
