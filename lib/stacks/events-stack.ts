import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { Rule } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import type { Construct } from 'constructs'
import { EVENT_HIDDEN, EVENT_RECEIVES, EVENT_SOURCE } from '#shared/events/event.ts'
import { allow, type Provision } from '../constructs/provision.ts'
import { QueueConsumer } from '../constructs/queue-consumer.ts'
import { StreamConsumer } from '../constructs/stream-consumer.ts'
import { tellOperator } from '../constructs/tell-operator.ts'
import { HIDDEN_TIMEOUTS, WorkQueue } from '../constructs/work-queue.ts'
import { settingsOf } from '../settings.ts'
import { DELIVERIES_A_RUN, WORKER_CONCURRENCY } from '../worker-concurrency.ts'
import type { DataStack } from './data-stack.ts'
import { provide } from './needs.ts'

export interface EventsStackProps extends StackProps {
  readonly data: DataStack
}

/** Sort keys of the items from which events are derived: a lead, and its calls, messages and timers. */
const TOLD_BY = ['LEAD', { prefix: 'CALL#' }, { prefix: 'SMS#' }, { prefix: 'TIMER#' }] as const

/** Sort keys of the items that statistics count. */
const COUNTED_BY = ['LEAD', { prefix: 'CALL#' }] as const

/** Records in a row are counted together, which costs fewer writes. Statistics may be this late. */
const COUNTED_WITHIN = Duration.seconds(5)

/** From the table's stream to customers' webhooks, and to statistics. */
export class EventsStack extends Stack {
  /** To count the messages of its queue and its dead letters, in addition to `queues:count`. Changes of the table have no queue. */
  readonly counting: Provision

  constructor(scope: Construct, id: string, { data, ...props }: EventsStackProps) {
    super(scope, id, props)

    const publish = new StreamConsumer(this, 'PublishChanges', {
      name: 'workers/publish-changes',
      impact: 'Changes of leads and calls do not become events. Customers get no events about them until the function works again.',
      lagImpact: 'Every customer gets events more than a minute late. After 20 hours, events are given up: customers never get them.',
      givenUpImpact:
        'Changes of leads or calls could not be read, or could not be published for 20 hours. Customers get no events about them.',
      givenUpVariable: 'GIVEN_UP_QUEUE_URL',
      table: data.table,
      batchSize: 100,
      sortKeys: TOLD_BY,
      timeout: Duration.seconds(30),
      provisions: provide(data, 'events:publish'),
    })

    // A function of its own, so that events do not wait when changes cannot be counted.
    const count = new StreamConsumer(this, 'CountChanges', {
      name: 'workers/count-changes',
      impact: 'Statistics stay as they are. Leads and calls are counted when the function works again.',
      lagImpact: 'Statistics are more than a minute late. After 20 hours, changes are given up: statistics never count them.',
      givenUpImpact: 'Changes of leads or calls could not be read, or could not be counted for 20 hours. Statistics do not count them.',
      givenUpVariable: 'UNCOUNTED_QUEUE_URL',
      table: data.table,
      batchSize: 500,
      batchingWindow: COUNTED_WITHIN,
      sortKeys: COUNTED_BY,
      timeout: Duration.minutes(1),
      provisions: provide(data, 'statistics:count'),
    })

    const events = new WorkQueue(this, 'Events', {
      consumerTimeout: Duration.millis(EVENT_HIDDEN / HIDDEN_TIMEOUTS),
      impact:
        'Events were not matched with subscriptions. Customers get no webhooks about these events until the dead letters are redriven.',
      lateImpact: 'Events wait to be matched with subscriptions: customers learn late what happened to their leads.',
      lateAfter: Duration.minutes(10),
      maxReceives: EVENT_RECEIVES,
    })
    const allEvents = new Rule(this, 'AllEvents', {
      eventBus: data.bus,
      eventPattern: { source: [EVENT_SOURCE] },
      // A fair queue, like the others: a hundred thousand events of one customer do not delay everybody else's.
      targets: [new SqsQueue(events.queue, { deadLetterQueue: events.deadLetters, messageGroupId: '$.detail.group' })],
    })
    // Events without a group may be refused. The publisher is deployed first, so none are left when the queue needs a group.
    allEvents.node.addDependency(publish)

    new QueueConsumer(this, 'MatchWebhooks', {
      name: 'workers/match-webhooks',
      impact: 'Events are not matched with subscriptions: customers get their webhooks late.',
      source: events,
      batchSize: 10,
      maxConcurrency: WORKER_CONCURRENCY.matchWebhooks,
      provisions: provide(data, 'table:get', 'table:query', 'table:put', 'deliveries:send', 'slow-deliveries:send'),
    })
    const deliver = new QueueConsumer(this, 'DeliverWebhook', {
      name: 'workers/deliver-webhook',
      impact: 'Webhooks are not sent: customers get them late.',
      source: data.deliveries,
      batchSize: DELIVERIES_A_RUN,
      maxConcurrency: settingsOf(this).deliveryConcurrency,
      // A failed delivery is sent again, at most nine times.
      causesItself: true,
      provisions: provide(
        data,
        'table:get',
        'table:update',
        'deliveries:send',
        'slow-deliveries:send',
        'webhook-hosts',
        'headers-key:open',
      ),
    })
    // Separate runs: slow destinations cannot take those that the others need.
    deliver.alsoFrom('SlowSource', {
      source: data.slowDeliveries,
      batchSize: DELIVERIES_A_RUN,
      maxConcurrency: settingsOf(this).slowDeliveryConcurrency,
    })
    const letters = { 'given-up': publish.givenUp, uncounted: count.givenUp }
    const queues = [
      `events ${events.queue.queueUrl} ${events.deadLetters.queueUrl}`,
      ...Object.entries(letters).map(([name, { queueUrl }]) => `${name}  ${queueUrl}`),
    ]
    this.counting = {
      environment: { COUNTED_EVENT_QUEUES: queues.join(',') },
      statements: [
        ...(events.counting().statements ?? []),
        allow(['sqs:GetQueueAttributes'], ...Object.values(letters).map(({ queueArn }) => queueArn)),
      ],
    }
    tellOperator(this, {
      GIVEN_UP_QUEUE_URL: publish.givenUp.queueUrl,
      UNCOUNTED_QUEUE_URL: count.givenUp.queueUrl,
      ...events.urls('EVENT'),
    })
  }
}
