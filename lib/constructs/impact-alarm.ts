import { Duration } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { settingsOf } from '../settings.ts'

export interface ImpactAlarmProps {
  /** What is broken for whom while the alarm stands; it is the alarm's text. */
  readonly impact: string
  readonly metric: IMetric
  /** The alarm stands from this value on. Default: 1. */
  readonly threshold?: number
  /** Periods of the metric in a row. Default: 1. */
  readonly periods?: number
  /** The alarm stands below the threshold, or without any data, instead: for what must happen. */
  readonly whenBelow?: boolean
}

/** An alarm that says what is broken for whom, sent to the deployment's topic. */
export class ImpactAlarm extends Construct {
  constructor(scope: Construct, id: string, { impact, metric, threshold = 1, periods = 1, whenBelow = false }: ImpactAlarmProps) {
    super(scope, id)
    const { alarmTopicArn } = settingsOf(this)
    const alarm = new Alarm(this, 'Alarm', {
      alarmDescription: impact,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: whenBelow ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: whenBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    if (alarmTopicArn) alarm.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, 'Topic', alarmTopicArn)))
  }
}

/** Alarms look at five minutes unless they say otherwise. */
export const ALARM_PERIOD = Duration.minutes(5)
