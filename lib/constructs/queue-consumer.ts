import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts'
import type { WorkQueue } from './work-queue.ts'

export interface QueueConsumerProps extends Omit<ServiceFunctionProps, 'timeout'> {
  readonly source: WorkQueue
  /** Messages a run, at most. */
  readonly batchSize: number
  /** Runs at one moment, at most: 2 to 1000. */
  readonly maxConcurrency: number
}

/**
 * A function that works off a queue. It answers which messages of a batch failed, and only those come back: to Lambda such a run
 * is no error. Messages that keep failing show in the alarms of the queue, on its age and on its dead letters.
 */
export class QueueConsumer extends ServiceFunction {
  constructor(scope: Construct, id: string, { source, batchSize, maxConcurrency, ...props }: QueueConsumerProps) {
    super(scope, id, { ...props, timeout: source.consumerTimeout, provisions: [...(props.provisions ?? []), source.receiving()] })
    this.#workOff('Source', { source, batchSize, maxConcurrency })
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
