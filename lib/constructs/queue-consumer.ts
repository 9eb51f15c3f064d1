import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { FAILURES, METRIC_NAMESPACE } from '#shared/platform/metrics.ts'
import { settingsOf } from '../settings.ts'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import type { ServiceFunctionProps } from './service-function.ts'
import { WatchedFunction } from './watched-function.ts'
import type { WorkQueue } from './work-queue.ts'

export interface QueueConsumerProps extends Omit<ServiceFunctionProps, 'timeout'> {
  readonly source: WorkQueue
  /** Messages a run, at most. */
  readonly batchSize: number
  /** Runs at one moment, at most: 2 to 1000. */
  readonly maxConcurrency: number
}

const FAILING_REMEDY =
  'What to do: for a quarter of an hour messages have failed and come again, one of them or all. Look in the log of the function for "A message failed and will come back."; each line tells the error. When all fail for the same reason, mend that: they are tried again by themselves. When it began with a deployment, deploy the version before it again.'

/** A message that fails comes again within minutes: a failure that passes by itself wakes nobody. */
const FAILING_PERIODS = 3

/**
 * A function that works off a queue. It answers which messages of a batch failed, and only those come back: to Lambda such a run
 * is no error. Hence an alarm of its own on messages that keep failing: the age of the queue leaves out what was received three times, and
 * the dead letters may be hours away.
 */
export class QueueConsumer extends WatchedFunction {
  constructor(scope: Construct, id: string, { source, batchSize, maxConcurrency, ...props }: QueueConsumerProps) {
    super(scope, id, { ...props, timeout: source.consumerTimeout, provisions: [...(props.provisions ?? []), source.receiving()] })
    this.#workOff('Source', { source, batchSize, maxConcurrency })
    new ImpactAlarm(this, 'Failing', {
      impact: this.impact,
      remedy: FAILING_REMEDY,
      metric: new Metric({
        namespace: METRIC_NAMESPACE,
        metricName: FAILURES.name,
        dimensionsMap: { stage: settingsOf(this).stage, function: this.functionName },
        statistic: 'Sum',
        period: ALARM_PERIOD,
      }),
      periods: FAILING_PERIODS,
    })
  }

  /** Has it work off another queue as well, with runs of their own. */
  alsoFrom(id: string, also: Pick<QueueConsumerProps, 'source' | 'batchSize' | 'maxConcurrency'>): void {
    for (const statement of also.source.receiving().statements ?? []) this.mayAlso(statement)
    this.#workOff(id, also)
  }

  #workOff(id: string, { source, batchSize, maxConcurrency }: Pick<QueueConsumerProps, 'source' | 'batchSize' | 'maxConcurrency'>): void {
    new EventSourceMapping(this, id, {
      target: this.lambda,
      eventSourceArn: source.queue.queueArn,
      batchSize,
      reportBatchItemFailures: true,
      maxConcurrency,
    })
  }
}
