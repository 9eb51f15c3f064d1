import { Duration, Stack } from 'aws-cdk-lib'
import { Match, Rule } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Construct } from 'constructs'
import { CONNECT_EVENT_TYPES } from '#shared/agents/platforms/connect/events.ts'
import { QueueConsumer } from '../constructs/queue-consumer.ts'
import { tellOperator } from '../constructs/tell-operator.ts'
import { WorkQueue } from '../constructs/work-queue.ts'
import { TAKES_REPORTS } from '../routes/route.ts'
import { WORKER_CONCURRENCY } from '../worker-concurrency.ts'
import type { DataStack } from './data-stack.ts'
import { provide } from './needs.ts'

interface ContactEventsProps {
  readonly data: DataStack
  /** ARNs of instances of Amazon Connect. At least one. */
  readonly instances: readonly string[]
}

/** The part of an instance's ARN that names the instance. */
const resourceOf = (arn: string): string => arn.slice(arn.lastIndexOf(':') + 1)

/** From the events of Amazon Connect to our calls. Amazon Connect reports nothing over HTTP. */
export class ContactEvents extends Construct {
  constructor(scope: Construct, id: string, { data, instances }: ContactEventsProps) {
    super(scope, id)
    const events = new WorkQueue(this, 'Events', {
      consumerTimeout: Duration.seconds(20),
      impact: 'Events of calls through Amazon Connect were not handled. The outcomes of these calls are recorded late, by polling.',
      lateImpact: 'Events of calls through Amazon Connect wait: outcomes of calls are recorded late.',
      lateAfter: Duration.minutes(5),
    })
    new Rule(this, 'OwnCalls', {
      eventPattern: {
        source: ['aws.connect'],
        detailType: ['Amazon Connect Contact Event'],
        detail: {
          // Not the whole ARN: its first part differs between the examples of AWS.
          instanceArn: instances.flatMap((arn) => Match.suffix(resourceOf(arn))),
          channel: Match.equalsIgnoreCase('VOICE'),
          initiationMethod: ['API'],
          eventType: CONNECT_EVENT_TYPES,
        },
      },
      // A fair queue: a crowd of contacts in one instance does not delay the events of the others.
      targets: [new SqsQueue(events.queue, { deadLetterQueue: events.deadLetters, messageGroupId: '$.detail.instanceArn' })],
    })
    new QueueConsumer(this, 'TakeEvents', {
      name: 'workers/contact-events',
      impact: 'Outcomes of calls through Amazon Connect are recorded late, by polling. A request to stop calling may have no effect.',
      source: events,
      batchSize: 5,
      maxConcurrency: WORKER_CONCURRENCY.contactEvents,
      provisions: provide(data, ...TAKES_REPORTS, 'agent-hosts', 'agent-credentials:open', 'connect:contacts'),
    })
    tellOperator(Stack.of(this), events.urls('CONTACT_EVENT'))
  }
}
