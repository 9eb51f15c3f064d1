import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import { AttributeType, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { WorkQueue } from '../constructs/work-queue.ts'
import { settingsOf } from '../settings.ts'

/** The sparse indexes. They hold keys only: what is read through them is read again from the table. */
export const INDEXES = {
  /** An owner's leads, by their position in the list. */
  byOwner: 'by_owner',
  /** What is due, by its instant. */
  byDue: 'by_due',
} as const

const byOwner = {
  indexName: INDEXES.byOwner,
  partitionKey: { name: 'owner_block', type: AttributeType.STRING },
  sortKey: { name: 'position', type: AttributeType.NUMBER },
  projectionType: ProjectionType.KEYS_ONLY,
}

const byDue = {
  indexName: INDEXES.byDue,
  partitionKey: { name: 'due_key', type: AttributeType.STRING },
  sortKey: { name: 'due_at', type: AttributeType.STRING },
  projectionType: ProjectionType.KEYS_ONLY,
}

/** What must outlive a deployment, and the queues at which other stacks meet. */
export class DataStack extends Stack {
  readonly table: TableV2
  readonly uploads: Bucket
  readonly bus: EventBus
  readonly phoneHashKey: Secret
  readonly calls: WorkQueue
  readonly deliveries: WorkQueue

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props)

    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      globalSecondaryIndexes: [byOwner, byDue],
      timeToLiveAttribute: 'expires_at',
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })

    this.uploads = new Bucket(this, 'Uploads', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(7) }],
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(this.uploads).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only presigned PUTs write here and each is on record as an upload in the table, so an access log would repeat that.',
    })

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

    this.calls = new WorkQueue(this, 'Calls', {
      consumerTimeout: Duration.seconds(15),
      impact: 'Calls could not be started although tried repeatedly: these leads wait until the sweep of what is overdue sends them again.',
    })

    this.deliveries = new WorkQueue(this, 'Deliveries', {
      consumerTimeout: Duration.seconds(20),
      impact: 'Webhooks were tried repeatedly, with nothing on their delivery log: their customers are not told until they are sent again.',
      maxReceives: 10,
    })

    new CfnOutput(this, 'TableName', { value: this.table.tableName })
    new CfnOutput(this, 'UploadsBucketName', { value: this.uploads.bucketName })
    new CfnOutput(this, 'PhoneHashKeyArn', { value: this.phoneHashKey.secretArn })
  }
}
