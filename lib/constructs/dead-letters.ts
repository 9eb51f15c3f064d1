import { Duration } from 'aws-cdk-lib'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { REMEDIES } from '#shared/platform/values/remedies.ts'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'

interface DeadLettersProps {
  readonly impact: string
  readonly remedy?: string
}

/** Keeps failed messages for 14 days, until a person handles them. Has an alarm as soon as there is one. */
export class DeadLetters extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { impact, remedy = REMEDIES['DeadLetters/NotEmpty'] }: DeadLettersProps) {
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
