import { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { FAILURES, METRIC_NAMESPACE } from '#shared/platform/metrics.ts'
import { REMEDIES } from '#shared/platform/values/remedies.ts'
import { settingsOf } from '../settings.ts'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import type { ServiceFunctionProps } from './service-function.ts'
import { WatchedFunction } from './watched-function.ts'
import type { WorkQueue } from './work-queue.ts'

export interface QueueConsumerProps extends Omit<ServiceFunctionProps, 'timeout'> {
  readonly source: WorkQueue
  /** Most messages in one run. */
  readonly batchSize: number
  /** Most concurrent runs: 2 to 1000. */
  readonly maxConcurrency: number
}

/** A failed message comes back within minutes: a failure that passes by itself must not wake anybody. */
const FAILING_PERIODS = 3

/**
 * A function that consumes a queue. It reports the failed messages of a batch, and only those come back. Lambda does not count such a run
 * as an error. Hence a separate alarm on messages that keep failing. The age of the queue leaves out messages that were received three
 * times, and dead letters may come hours later.
 */
export class QueueConsumer extends WatchedFunction {
  constructor(scope: Construct, id: string, { source, batchSize, maxConcurrency, ...props }: QueueConsumerProps) {
    super(scope, id, { ...props, timeout: source.consumerTimeout, provisions: [...(props.provisions ?? []), source.receiving()] })
    this.#workOff('Source', { source, batchSize, maxConcurrency })
    new ImpactAlarm(this, 'Failing', {
      impact: this.impact,
      remedy: REMEDIES.Failing,
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

  /** Makes it consume another queue as well, with separate runs. */
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
