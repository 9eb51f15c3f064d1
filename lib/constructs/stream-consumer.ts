import { Duration, Validations } from 'aws-cdk-lib'
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import type { Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { REMEDIES } from '#shared/platform/values/remedies.ts'
import { DeadLetters } from './dead-letters.ts'
import { ALARM_PERIOD, ImpactAlarm } from './impact-alarm.ts'
import { allow } from './provision.ts'
import type { ServiceFunctionProps } from './service-function.ts'
import { WatchedFunction } from './watched-function.ts'

export interface StreamConsumerProps extends ServiceFunctionProps {
  readonly table: TableV2
  /** Most records in one run. */
  readonly batchSize: number
  /** How long a run waits for more records. Default: it does not wait. */
  readonly batchingWindow?: Duration
  /** Selects items by their `sk`, with patterns of Lambda's event filters. */
  readonly sortKeys: readonly (string | { readonly prefix: string })[]
  /** Says what is late for whom when the stream is read late. */
  readonly lagImpact: string
  /** Names the loss, and who has it, when the function gives up on records: they cannot be read, or have failed for too long. */
  readonly givenUpImpact: string
  /** The function's environment variable with the URL of its dead-letter queue. */
  readonly givenUpVariable: string
}

const LATE = Duration.minutes(1)
/** A stream keeps its records for 24 h: a record that is given up after 20 can be read from it for another four. */
const GIVE_UP = Duration.hours(20)

/**
 * A function that follows the table's stream. It gets each item's changes in order, and skips none while a retry may help. At most two
 * functions may follow a stream: DynamoDB throttles further ones.
 */
export class StreamConsumer extends WatchedFunction {
  /** Its dead-letter queue. */
  readonly givenUp: Queue

  constructor(scope: Construct, id: string, consumer: StreamConsumerProps) {
    const { table, batchSize, batchingWindow, sortKeys, lagImpact, givenUpImpact, givenUpVariable, ...props } = consumer
    super(scope, id, props)
    const { tableStreamArn } = table
    if (tableStreamArn === undefined) throw new Error(`The table that ${props.name} follows has no stream.`)
    this.mayAlso(allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], tableStreamArn))
    this.mayAlso(allow(['dynamodb:ListStreams'], '*'))
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Lambda needs dynamodb:ListStreams to follow a stream. This action supports no narrower resource.',
    })

    const givenUp = new DeadLetters(this, 'GivenUp', { impact: givenUpImpact, remedy: REMEDIES['GivenUp/NotEmpty'] })
    Validations.of(givenUp).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of a stream. The rule does not recognise that.',
    })
    this.givenUp = givenUp.queue
    this.mayAlso(allow(['sqs:SendMessage'], givenUp.queue.queueArn))
    // The function itself sends unreadable records there: retries would hold up everybody's changes behind them.
    this.lambda.addEnvironment(givenUpVariable, givenUp.queue.queueUrl)
    new EventSourceMapping(this, 'Source', {
      target: this.lambda,
      eventSourceArn: tableStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      ...(batchingWindow && { maxBatchingWindow: batchingWindow }),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      retryAttempts: -1,
      maxRecordAge: GIVE_UP,
      onFailure: { bind: () => ({ destination: givenUp.queue.queueArn }) },
      filters: [{ pattern: JSON.stringify({ dynamodb: { Keys: { sk: { S: sortKeys } } } }) }],
    })
    new ImpactAlarm(this, 'Lag', {
      impact: lagImpact,
      remedy: REMEDIES.Lag,
      metric: this.lambda.metric('IteratorAge', { period: ALARM_PERIOD, statistic: 'Maximum' }),
      threshold: LATE.toMilliseconds(),
    })
  }
}
