import { Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import { AttributeType, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { Key } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { notifyOf } from '../constructs/bucket-notification.ts'
import { tellOperator } from '../constructs/tell-operator.ts'
import { WorkQueue } from '../constructs/work-queue.ts'
import { BEGUN_UPLOADS, REDRIVEN_UPLOADS } from '../dead-uploads.ts'
import { settingsOf } from '../settings.ts'
import { TABLE } from './table-shape.ts'

const TYPES = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const

/**
 * Over six hours of failures: a failed message comes back after 240 s. An untried delivery is in no due list, which would cost a quarter of
 * its writes. Only its message leads to it: a failure of the table, or of a deployment, must not make it a dead letter.
 */
const DELIVERY_RECEIVES = 100

/** An attempt takes up to 15 seconds. A run that waits for one uses the rest for further deliveries. */
const DELIVERY_TIMEOUT = Duration.seconds(40)

const keysOf = ({ partitionKey, sortKey }: Pick<typeof TABLE, 'partitionKey' | 'sortKey'>) => ({
  partitionKey: { name: partitionKey.name, type: TYPES[partitionKey.type] },
  sortKey: { name: sortKey.name, type: TYPES[sortKey.type] },
})

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

    this.table = new TableV2(this, 'Table', {
      ...keysOf(TABLE),
      globalSecondaryIndexes: TABLE.indexes.map((index) => ({
        ...keysOf(index),
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
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(7), noncurrentVersionExpiration: Duration.days(30) },
        // As long as the upload's item is stored.
        ...['uploads/', 'rejected/'].map((prefix) => ({ prefix, expiration: Duration.days(90) })),
      ],
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(this.uploads).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only presigned PUTs write here and each is on record as an upload in the table, so an access log would repeat that.',
    })

    const imported: { readonly 'Fn::ImportValue': string } = this.resolve(this.exportValue(this.uploads.bucketArn))
    this.uploadsArnExport = imported['Fn::ImportValue']

    this.bus = new EventBus(this, 'Bus', { eventBusName: `lead-outreach-${settingsOf(this).stage}` })

    this.phoneHashKey = new Secret(this, 'PhoneHashKey', {
      description: 'Keys the hash of phone numbers. Every "do not call" is filed under that hash: never change it.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(this.phoneHashKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'A rotated key would hash every phone number anew, and no "do not call" would be found again.',
    })

    this.headersKey = new Key(this, 'HeadersKey', {
      description: "Encrypts the data keys of webhook subscriptions' headers. Without it none of them can be sent again.",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })

    this.calls = new WorkQueue(this, 'Calls', {
      consumerTimeout: Duration.seconds(15),
      impact: 'Calls could not be started although tried repeatedly: these leads wait until the sweep of what is overdue sends them again.',
      lateImpact: 'Calls start minutes after their time: leads wait, and callbacks that were promised are late.',
      // Messages are delayed by up to 130 s on purpose. A message that nobody gave back comes back after 90 s.
      lateAfter: Duration.minutes(5),
      // An agent with unclear answers is asked again every ten seconds, for half a minute. Crashes may add further tries.
      maxReceives: 10,
    })

    this.deliveries = new WorkQueue(this, 'Deliveries', {
      consumerTimeout: DELIVERY_TIMEOUT,
      impact: 'Webhooks were tried for hours, with nothing on their delivery log: their customers are not told until they are sent again.',
      lateImpact: 'Webhooks that are due are not sent: customers learn late how their leads fared.',
      // Retries are delayed by up to 15 minutes on purpose.
      lateAfter: Duration.minutes(30),
      maxReceives: DELIVERY_RECEIVES,
    })

    this.slowDeliveries = new WorkQueue(this, 'SlowDeliveries', {
      consumerTimeout: DELIVERY_TIMEOUT,
      impact:
        'Webhooks to slow destinations were tried for hours, with nothing on their delivery log: those that failed before the sweep sends again, the others wait until they are sent again.',
      lateImpact: 'Webhooks to slow destinations wait although it is their turn: their customers learn late how their leads fared.',
      // A turn may be up to 15 minutes ahead on purpose, which is the longest delay of a queue.
      lateAfter: Duration.minutes(30),
      maxReceives: DELIVERY_RECEIVES,
    })

    this.updates = new WorkQueue(this, 'Updates', {
      consumerTimeout: Duration.seconds(30),
      impact:
        'Updates accepted in bulk could not be made although tried repeatedly: these leads stay as they were, and the sweep tries on.',
      lateImpact: 'Updates accepted in bulk are made late: leads are called, and shown, as they were before them.',
      lateAfter: Duration.minutes(10),
    })

    this.ingestion = new WorkQueue(this, 'Ingestion', {
      consumerTimeout: Duration.minutes(2),
      impact: `Files could not be read although tried repeatedly: their leads are not made, and not called. ${REDRIVEN_UPLOADS} ${BEGUN_UPLOADS}`,
      lateImpact: 'Files that were sent wait to be read: their leads are called late.',
      // A crashed run keeps its message hidden for twelve minutes. Meanwhile the sweep sends another message to continue.
      lateAfter: Duration.minutes(30),
    })
    notifyOf(this.uploads, 'uploads/', this.ingestion.queue)

    const { defaultTimezone, defaultWindow, privateAgentHosts } = settingsOf(this)
    tellOperator(this, {
      TABLE_NAME: this.table.tableName,
      UPLOADS_BUCKET: this.uploads.bucketName,
      EVENT_BUS_NAME: this.bus.eventBusName,
      PHONE_HASH_SECRET_ARN: this.phoneHashKey.secretArn,
      HEADERS_KEY_ARN: this.headersKey.keyArn,
      DEFAULT_TIMEZONE: defaultTimezone,
      DEFAULT_WINDOW: defaultWindow,
      PRIVATE_AGENT_HOSTS: privateAgentHosts,
      ...this.calls.urls('CALL'),
      ...this.deliveries.urls('DELIVERY'),
      ...this.slowDeliveries.urls('SLOW_DELIVERY'),
      ...this.updates.urls('UPDATE'),
      ...this.ingestion.urls('INGESTION'),
    })
  }
}
