import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { DeadLetters } from './dead-letters.ts'
import { allow, type Provision } from './provision.ts'

export interface WorkQueueProps {
  /** Time-out of the function that consumes it. A message stays hidden six times as long, as Lambda asks for. */
  readonly consumerTimeout: Duration
  /** What breaks for whom when messages end among the dead letters. */
  readonly impact: string
  /** Times that a message is tried before it goes to the dead letters. Default: 5. */
  readonly maxReceives?: number
}

const HIDDEN_TIMEOUTS = 6

/** A queue of work for one function, with its dead letters. */
export class WorkQueue extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue
  readonly consumerTimeout: Duration

  constructor(scope: Construct, id: string, { consumerTimeout, impact, maxReceives = 5 }: WorkQueueProps) {
    super(scope, id)
    this.consumerTimeout = consumerTimeout
    this.deadLetters = new DeadLetters(this, 'DeadLetters', { impact }).queue
    this.queue = new Queue(this, 'Queue', {
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * HIDDEN_TIMEOUTS),
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceives },
    })
  }

  /** To send to it; the function finds its URL in `variable`. */
  sending(variable: string): Provision {
    return {
      environment: { [variable]: this.queue.queueUrl },
      statements: [allow(['sqs:SendMessage'], this.queue.queueArn)],
    }
  }

  /** To take messages from it, and to have them back later. */
  receiving(): Provision {
    const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes']
    return { statements: [allow(actions, this.queue.queueArn)] }
  }
}
