import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'

/** For the dead letters of a queue, which can be sent back to it. */
const REMEDY =
  "What to do: run npm run ops -- queues to see which queue has dead letters, and how many. Read in the log of the queue's function why these messages failed. Fix the cause. Then send the dead letters back: npm run ops -- redrive, followed by the name of the queue."

interface DeadLettersProps {
  readonly impact: string
  readonly remedy?: string
}

/** Keeps failed messages for 14 days, until a person handles them. Has an alarm as soon as there is one. */
export class DeadLetters extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { impact, remedy = REMEDY }: DeadLettersProps) {
    super(scope, id)
    this.queue = new Queue(this, 'Queue', {
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    })
    new ImpactAlarm(this, 'NotEmpty', {
      impact,
      remedy,
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period: ALARM_PERIOD, statistic: 'Maximum' }),
    })
  }
}
