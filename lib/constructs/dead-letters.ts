import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'

/** Of the dead letters of a queue: there is one to send them back to. */
const REMEDY =
  'What to do: npm run ops -- queues tells which queue it is and how much waits there; the log of its function tells why that failed. Mend the cause, then have it handled again: npm run ops -- redrive and the name of the queue.'

interface DeadLettersProps {
  readonly impact: string
  readonly remedy?: string
}

/** Where what could not be handled waits, 14 days, for a person: with an alarm as soon as anything is there. */
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
