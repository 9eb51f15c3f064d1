import { Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import { AttributeType, ProjectionType, StreamViewType, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { Key } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { notifyOf } from '../constructs/bucket-notification.ts'
import { tellOperator } from '../constructs/tell-operator.ts'
import { WorkQueue } from '../constructs/work-queue.ts'
import { BEGUN_UPLOADS, REDRIVEN_UPLOADS } from '../dead-uploads.ts'
import { DEFAULT_SETTINGS, type Settings, settingsOf } from '../settings.ts'
import { TABLE } from './table-shape.ts'

const TYPES = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const

/**
 * Over six hours of failures: a failed message comes back after 240 s. An untried delivery is in no due list, because
 * an entry would make its writes a quarter dearer. Only its message leads to it. So a failure of the table, or a failed deployment, must
 * not turn that message into a dead letter.
 */
const DELIVERY_RECEIVES = 100

/** Days. With leap days, and some more: nothing may go a day early. */
const FIVE_YEARS = 1830

/** An attempt takes up to 15 seconds. A run that waits for one uses the rest for further deliveries. */
const DELIVERY_TIMEOUT = Duration.seconds(40)

const keysOf = ({ partitionKey, sortKey }: Pick<typeof TABLE, 'partitionKey' | 'sortKey'>) => ({
  partitionKey: { name: partitionKey.name, type: TYPES[partitionKey.type] },
  sortKey: { name: sortKey.name, type: TYPES[sortKey.type] },
})

/** The template names only what is set: DynamoDB refuses less than the table has grown to. */
const warmThroughputOf = ({ warmReadUnits, warmWriteUnits }: Settings): Pick<TablePropsV2, 'warmThroughput'> => {
  const warmThroughput = {
    ...(warmReadUnits > DEFAULT_SETTINGS.warmReadUnits && { readUnitsPerSecond: warmReadUnits }),
    ...(warmWriteUnits > DEFAULT_SETTINGS.warmWriteUnits && { writeUnitsPerSecond: warmWriteUnits }),
  }
  return Object.keys(warmThroughput).length > 0 ? { warmThroughput } : {}
}

/**
 * Where browsers may show the console, which sends files and reads reports by signed URLs. The API's own id is not known here, because its
 * stack comes later. The pattern admits any API of the region, but only a signed URL gives access.
 */
const consoleOrigins = (stack: Stack): string[] => {
  const { domainName, closeGivenAddress } = settingsOf(stack)
  const given = closeGivenAddress ? [] : [`https://*.execute-api.${stack.region}.${stack.urlSuffix}`]
  return [...(domainName === '' ? [] : [`https://${domainName}`]), ...given]
}

/** Resources that must outlive a deployment, and the queues that stacks share. */
export class DataStack extends Stack {
  readonly table: TableV2
  readonly uploads: Bucket
  /** Export name under which other stacks know the bucket's ARN. */
  readonly uploadsArnExport: string
  readonly bus: EventBus
  readonly phoneHashKey: Secret
  readonly headersKey: Key
  readonly calls: WorkQueue
  readonly deliveries: WorkQueue
  readonly slowDeliveries: WorkQueue
  readonly updates: WorkQueue
  readonly ingestion: WorkQueue

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props)

    const warm = warmThroughputOf(settingsOf(this))
    this.table = new TableV2(this, 'Table', {
      ...keysOf(TABLE),
      ...warm,
      globalSecondaryIndexes: TABLE.indexes.map((index) => ({
        ...keysOf(index),
        // A write also waits for the indexes.
        ...warm,
        indexName: index.name,
        projectionType: ProjectionType.KEYS_ONLY,
      })),
      timeToLiveAttribute: 'expires_at',
      dynamoStream: StreamViewType[TABLE.streamView],
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })

    this.uploads = new Bucket(this, 'Uploads', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      cors: [{ allowedMethods: [HttpMethods.GET, HttpMethods.PUT], allowedOrigins: consoleOrigins(this) }],
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(7), noncurrentVersionExpiration: Duration.days(30) },
        // As long as the upload's item is stored.
        ...['uploads/', 'rejected/'].map((prefix) => ({ prefix, expiration: Duration.days(90) })),
        // The telemarketing rule asks to keep records for five years: 16 CFR 310.5(b).
        { prefix: 'records/', expiration: Duration.days(FIVE_YEARS) },
      ],
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(this.uploads).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only presigned PUTs write here, and the table records each of them as an upload. An access log would repeat that.',
    })

    const imported: { readonly 'Fn::ImportValue': string } = this.resolve(this.exportValue(this.uploads.bucketArn))
    this.uploadsArnExport = imported['Fn::ImportValue']

    this.bus = new EventBus(this, 'Bus', { eventBusName: `lead-outreach-${settingsOf(this).stage}` })

    this.phoneHashKey = new Secret(this, 'PhoneHashKey', {
      description: 'Key of the hash of phone numbers. Every do-not-contact entry is stored under that hash: never change this key.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(this.phoneHashKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A new key would change the hash of every phone number. No do-not-contact entry would be found again.',
    })

    this.headersKey = new Key(this, 'HeadersKey', {
      description:
        'Encrypts the data keys for the headers of webhook subscriptions. Without this key, none of these headers can be sent again.',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })

    this.calls = new WorkQueue(this, 'Calls', {
      consumerTimeout: Duration.seconds(22),
      impact:
        'Calls could not be started after repeated attempts. These leads wait until the search for due calls, which runs each minute, sends them again.',
      lateImpact: 'Calls start minutes late: leads wait, and promised callbacks are late.',
      // Messages are delayed by up to 130 s on purpose. A message that nobody gave back comes back after about two minutes.
      lateAfter: Duration.minutes(5),
      // An agent with unclear answers is asked again every ten seconds, for half a minute. Crashes may add further tries.
      maxReceives: 10,
    })

    this.deliveries = new WorkQueue(this, 'Deliveries', {
      consumerTimeout: DELIVERY_TIMEOUT,
      impact:
        'Webhooks failed for hours, without an entry in their delivery log. Customers do not get them until the dead letters are redriven.',
      lateImpact: 'Due webhooks are not sent: customers learn late what happened to their leads.',
      // Retries are delayed by up to 15 minutes on purpose.
      lateAfter: Duration.minutes(30),
      maxReceives: DELIVERY_RECEIVES,
    })

    this.slowDeliveries = new WorkQueue(this, 'SlowDeliveries', {
      consumerTimeout: DELIVERY_TIMEOUT,
      impact:
        'Webhooks to slow destinations failed for hours, without an entry in their delivery log. The sweep resends the webhooks that had failed before. The other webhooks wait until the dead letters are redriven.',
      lateImpact: 'Due webhooks to slow destinations are not sent: their customers learn late what happened to their leads.',
      // A delivery may wait up to 15 minutes on purpose before it asks again: the longest delay of a queue.
      lateAfter: Duration.minutes(30),
      maxReceives: DELIVERY_RECEIVES,
    })

    this.updates = new WorkQueue(this, 'Updates', {
      consumerTimeout: Duration.seconds(30),
      impact: 'Accepted bulk updates failed repeatedly. Their leads stay unchanged until a retry succeeds. The sweep keeps retrying.',
      lateImpact: 'Accepted bulk updates are applied late. Until then, the service calls and shows the leads as they were before.',
      lateAfter: Duration.minutes(10),
      // Three hours of failures, at 180 s each: a table that is too busy for updates must not turn them into dead letters.
      maxReceives: 60,
    })

    this.ingestion = new WorkQueue(this, 'Ingestion', {
      consumerTimeout: Duration.minutes(2),
      impact: `Files could not be read after repeated attempts. Their leads are not created, and not called. ${REDRIVEN_UPLOADS} ${BEGUN_UPLOADS}`,
      lateImpact: 'Uploaded files wait to be read: their leads are called late.',
      // A crashed run keeps its message hidden for twelve minutes. Meanwhile the sweep sends another message to continue.
      lateAfter: Duration.minutes(30),
    })
    notifyOf(this.uploads, 'uploads/', this.ingestion.queue)

    // Named here, because otherwise the order of the exports would depend on who reads the permissions first.
    for (const { queue, deadLetters } of [this.calls, this.deliveries, this.slowDeliveries, this.updates, this.ingestion])
      for (const value of [queue.queueArn, queue.queueUrl, deadLetters.queueArn, deadLetters.queueUrl]) this.exportValue(value)

    const { defaultTimezone, defaultWindow, revokeAllFrom, privateAgentHosts, connectInstances } = settingsOf(this)
    tellOperator(this, {
      TABLE_NAME: this.table.tableName,
      UPLOADS_BUCKET: this.uploads.bucketName,
      EVENT_BUS_NAME: this.bus.eventBusName,
      PHONE_HASH_SECRET_ARN: this.phoneHashKey.secretArn,
      HEADERS_KEY_ARN: this.headersKey.keyArn,
      DEFAULT_TIMEZONE: defaultTimezone,
      DEFAULT_WINDOW: defaultWindow,
      REVOKE_ALL_FROM: revokeAllFrom,
      PRIVATE_AGENT_HOSTS: privateAgentHosts,
      CONNECT_INSTANCES: connectInstances.join(','),
      ...this.calls.urls('CALL'),
      ...this.deliveries.urls('DELIVERY'),
      ...this.slowDeliveries.urls('SLOW_DELIVERY'),
      ...this.updates.urls('UPDATE'),
      ...this.ingestion.urls('INGESTION'),
    })
  }
}
