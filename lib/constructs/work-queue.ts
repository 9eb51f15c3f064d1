import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { REMEDIES } from '#shared/platform/values/remedies.ts'
import { DeadLetters } from './dead-letters.ts'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import { allow, type Provision } from './provision.ts'

export interface WorkQueueProps {
  /** Timeout of the function that consumes the queue. */
  readonly consumerTimeout: Duration
  /** Says what breaks for whom when messages become dead letters. */
  readonly impact: string
  /** Says what is late for whom when messages wait. */
  readonly lateImpact: string
  /** Messages may wait this long, including intended delays. */
  readonly lateAfter: Duration
  /** Number of tries before a message becomes a dead letter. Default: 5. */
  readonly maxReceives?: number
}

/** A message stays hidden for so many timeouts of the function that has it, as AWS recommends. */
export const HIDDEN_TIMEOUTS = 6
/** The alarm of the dead letters covers a single message that keeps failing. */
const LATE_PERIODS = 2

/** A queue of work for one function, with its dead-letter queue, and an alarm on waiting work. */
export class WorkQueue extends Construct {
  readonly queue: Queue
  readonly deadLetters: Queue
  readonly consumerTimeout: Duration

  constructor(scope: Construct, id: string, { consumerTimeout, impact, lateImpact, lateAfter, maxReceives = 5 }: WorkQueueProps) {
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
    new ImpactAlarm(this, 'Late', {
      impact: lateImpact,
      remedy: REMEDIES.Late,
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: ALARM_PERIOD, statistic: 'Maximum' }),
      threshold: lateAfter.toSeconds(),
      periods: LATE_PERIODS,
    })
  }

  /** Permission to send to the queue. The function finds its URL in `variable`. */
  sending(variable: string): Provision {
    return {
      environment: { [variable]: this.queue.queueUrl },
      statements: [allow(['sqs:SendMessage'], this.queue.queueArn)],
    }
  }

  /** The URLs of the queue and of its dead-letter queue, by the names of their variables. */
  urls(name: string): Readonly<Record<string, string>> {
    return { [`${name}_QUEUE_URL`]: this.queue.queueUrl, [`${name}_DEAD_LETTERS_URL`]: this.deadLetters.queueUrl }
  }

  /** Permission to count the messages of the queue and of its dead-letter queue. */
  counting(): Provision {
    return { statements: [allow(['sqs:GetQueueAttributes'], this.queue.queueArn, this.deadLetters.queueArn)] }
  }

  /** Permission for Lambda to take messages from the queue for a function. */
  receiving(): Provision {
    return { statements: [allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], this.queue.queueArn)] }
  }
}
