import { Duration, Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { settingsOf } from '../settings.ts'

export interface ImpactAlarmProps {
  /** Says what is broken for whom while the alarm is active. */
  readonly impact: string
  /** Tells the person who is woken by the alarm what to do. */
  readonly remedy: string
  readonly metric: IMetric
  /** The alarm is active from this value on. Default: 1. */
  readonly threshold?: number
  /** Consecutive periods of the metric. Default: 1. */
  readonly periods?: number
  /** For things that must happen: the alarm is active below the threshold, or without data. */
  readonly whenBelow?: boolean
  /** Functions that the alarm watches together, each with its impact. Default: none. */
  readonly covered?: readonly Covered[]
}

interface Covered {
  readonly functionName: string
  readonly impact: string
}

/** An alarm that says what is broken for whom and what to do, sent to the deployment's topic. */
export class ImpactAlarm extends Construct {
  /** Contains the stack and the watched construct. */
  readonly name: string
  readonly impact: string
  readonly remedy: string
  readonly covered: readonly Covered[]

  constructor(scope: Construct, id: string, { impact, remedy, covered = [], ...watched }: ImpactAlarmProps) {
    super(scope, id)
    const { metric, threshold = 1, periods = 1, whenBelow = false } = watched
    this.covered = covered
    this.impact = impact
    this.remedy = remedy
    const { alarmTopicArn } = settingsOf(this)
    this.name = [Stack.of(this).stackName, ...this.node.path.split('/').slice(1)].join('/')
    const alarm = new Alarm(this, 'Alarm', {
      alarmName: this.name,
      alarmDescription: `${impact} ${remedy}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: whenBelow ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: whenBelow ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    if (alarmTopicArn) alarm.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, 'Topic', alarmTopicArn)))
  }
}

/** Alarms use this period unless they set another one. */
export const ALARM_PERIOD = Duration.minutes(5)
