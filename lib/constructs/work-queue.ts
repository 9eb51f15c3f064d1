import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { DeadLetters } from './dead-letters.ts'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import { allow, type Provision } from './provision.ts'

export interface WorkQueueProps {
  /** Time-out of the function that consumes it. A message stays hidden six times as long, as Lambda asks for. */
  readonly consumerTimeout: Duration
  /** What breaks for whom when messages end among the dead letters. */
  readonly impact: string
  /** What is late for whom when messages wait. */
  readonly lateImpact: string
  /** Messages may wait this long, delays that are meant included. */
  readonly lateAfter: Duration
  /** Times that a message is tried before it goes to the dead letters. Default: 5. */
  readonly maxReceives?: number
}

const LATE_REMEDY =
  'What to do: when the function of the queue has an alarm as well, see to that first. Otherwise there is more work than it may do at one moment: the dashboard tells whether it is throttled. Raise its concurrency in the settings of the deployment, or the limit of the account.'

const HIDDEN_TIMEOUTS = 6
/** One message that keeps failing is for the alarm of the dead letters. */
const LATE_PERIODS = 2

/** A queue of work for one function, with its dead letters, and an alarm on work that waits. */
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
      remedy: LATE_REMEDY,
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: ALARM_PERIOD, statistic: 'Maximum' }),
      threshold: lateAfter.toSeconds(),
      periods: LATE_PERIODS,
    })
  }

  /** To send to it; the function finds its URL in `variable`. */
  sending(variable: string): Provision {
    return {
      environment: { [variable]: this.queue.queueUrl },
      statements: [allow(['sqs:SendMessage'], this.queue.queueArn)],
    }
  }

  /** Where it and its dead letters are, by the variables that tell it. */
  urls(name: string): Readonly<Record<string, string>> {
    return { [`${name}_QUEUE_URL`]: this.queue.queueUrl, [`${name}_DEAD_LETTERS_URL`]: this.deadLetters.queueUrl }
  }

  /** For Lambda to take messages from it in a function's name. */
  receiving(): Provision {
    return { statements: [allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], this.queue.queueArn)] }
  }
}
