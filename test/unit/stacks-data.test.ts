import { beforeAll, describe, expect, it } from '@jest/globals'
import { Match, type Template } from 'aws-cdk-lib/assertions'
import { builtTemplates, resourcesOf } from '#test/support/stacks.ts'

let stacks: Awaited<ReturnType<typeof read>>

const read = () => builtTemplates(['Data', 'Api', 'Calling', 'Events', 'Ingestion'])
const ofType = (type: string) => resourcesOf(Object.values<Template>(stacks), type)
const byId = (type: string) => Object.fromEntries(ofType(type))

beforeAll(async () => {
  stacks = await read()
})

describe('queues', () => {
  const queues = () => byId('AWS::SQS::Queue')
  const mappings = () => ofType('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties)
  const ofQueues = () => mappings().filter((mapping) => mapping['FilterCriteria'] === undefined)
  /** A queue's ARN names it in its own stack, or names another stack's export. */
  const queueOf = (arn: unknown) => {
    const text = JSON.stringify(arn)
    return Object.entries(queues()).find(([id]) => text.includes(id))![1]
  }

  it('a queue with a consumer has a dead-letter queue with 14 days of retention', () => {
    expect(ofQueues()).toHaveLength(6)
    for (const mapping of ofQueues()) {
      const { RedrivePolicy } = queueOf(mapping['EventSourceArn']).Properties
      expect(RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(5)
      expect(queueOf(RedrivePolicy.deadLetterTargetArn).Properties['MessageRetentionPeriod']).toBe(14 * 24 * 3600)
    }
  })

  it('queues hide a message for six times the timeout of the function, and accept partial failures', () => {
    const functions = byId('AWS::Lambda::Function')
    for (const mapping of ofQueues()) {
      const timeout = functions[mapping['FunctionName'].Ref]!.Properties['Timeout']
      expect(queueOf(mapping['EventSourceArn']).Properties['VisibilityTimeout']).toBe(6 * timeout)
      expect(mapping['FunctionResponseTypes']).toEqual(['ReportBatchItemFailures'])
    }
  })

  it('queues are encrypted, and raise an alarm on dead letters', () => {
    for (const { Properties } of Object.values(queues())) expect(Properties['SqsManagedSseEnabled']).toBe(true)
    const watched = ofType('AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => Properties['MetricName'] === 'ApproximateNumberOfMessagesVisible',
    )
    expect(watched).toHaveLength(Object.values(queues()).filter(({ Properties }) => Properties['RedrivePolicy'] === undefined).length)
  })

  it('queues raise an alarm on waiting messages, each with its own description', () => {
    const late = ofType('AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => Properties['MetricName'] === 'ApproximateAgeOfOldestMessage',
    )
    const watched = late.map(([, { Properties }]) => Properties['Dimensions'][0].Value['Fn::GetAtt'][0])
    const consumed = Object.entries(queues()).filter(([, { Properties }]) => Properties['RedrivePolicy'] !== undefined)
    expect(watched.sort()).toEqual(consumed.map(([id]) => id).sort())
    expect(new Set(late.map(([, { Properties }]) => Properties['AlarmDescription'])).size).toBe(late.length)
  })

  it('the call queue delivers a message ten times before it becomes a dead letter', () => {
    const [calls] = Object.entries(queues()).filter(([id]) => /^CallsQueue/.test(id))
    expect(calls![1].Properties['RedrivePolicy'].maxReceiveCount).toBe(10)
  })

  it('queues limit the concurrency of their functions', () => {
    for (const mapping of ofQueues()) expect(mapping['ScalingConfig']).toEqual({ MaximumConcurrency: expect.any(Number) })
  })

  it('the call queue invokes the worker with up to ten messages, and the sweep runs every minute', () => {
    stacks.Calling.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' })
    stacks.Calling.hasResourceProperties('AWS::Lambda::EventSourceMapping', { BatchSize: 10, ScalingConfig: { MaximumConcurrency: 50 } })
  })
})

describe('the sweep', () => {
  it('the sweep is not retried when it fails', () => {
    stacks.Calling.hasResourceProperties('AWS::Lambda::EventInvokeConfig', { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 })
    stacks.Calling.hasResourceProperties('AWS::Events::Rule', { Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 0 } })] })
  })
})

describe('the stream', () => {
  it('the stream has an alarm for lost events and one for late events', () => {
    const texts = ofType('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [id, Properties['AlarmDescription']] as const)
    const textOf = (part: string) => texts.find(([id]) => id.includes(part))?.[1]
    expect(textOf('PublishChangesGivenUpNotEmpty')).toMatch(/Customers get no events about them\. .*These changes cannot be redriven/)
    expect(textOf('PublishChangesLag')).toMatch(/late/)
  })

  it('the stream passes on only items that cause events, and retries without limit', () => {
    const mappings = ofType('AWS::Lambda::EventSourceMapping').filter(([, { Properties }]) => Properties['FilterCriteria'])
    const mapping = mappings.find(([id]) => id.startsWith('PublishChanges'))
    expect(mapping![1].Properties).toMatchObject({
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: -1,
      StartingPosition: 'TRIM_HORIZON',
      DestinationConfig: { OnFailure: { Destination: expect.anything() } },
    })
    expect(JSON.parse(mapping![1].Properties['FilterCriteria'].Filters[0].Pattern)).toEqual({
      dynamodb: { Keys: { sk: { S: ['LEAD', { prefix: 'CALL#' }, { prefix: 'SMS#' }, { prefix: 'TIMER#' }] } } },
    })
  })

  it('the stream has two followers, as many as DynamoDB allows, and the one that counts gets only leads and calls', () => {
    const mappings = ofType('AWS::Lambda::EventSourceMapping').filter(([, { Properties }]) => Properties['FilterCriteria'])
    expect(mappings).toHaveLength(2)
    const counting = mappings.find(([id]) => id.startsWith('CountChanges'))
    expect(counting![1].Properties).toMatchObject({ MaximumRetryAttempts: -1, StartingPosition: 'TRIM_HORIZON' })
    expect(JSON.parse(counting![1].Properties['FilterCriteria'].Filters[0].Pattern)).toEqual({
      dynamodb: { Keys: { sk: { S: ['LEAD', { prefix: 'CALL#' }] } } },
    })
  })

  it("the stream's events go from the bus to a queue, grouped by customer", () => {
    stacks.Events.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['lead-outreach'] },
      // By customer: hundreds of thousands of events of one customer must not delay everybody else's.
      Targets: [Match.objectLike({ DeadLetterConfig: {}, SqsParameters: { MessageGroupId: '$.detail.group' } })],
    })
  })
})

describe('stored data', () => {
  it('stored data outlives the stack', () => {
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret', 'AWS::KMS::Key']) {
      expect(ofType(type)).toHaveLength(1)
      expect(ofType(type)[0]![1]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
    }
  })

  it('secrets in stored data have a rotating key, and each use of it is bound to whose secret it is', () => {
    stacks.Data.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true })
    const uses = ofType('AWS::IAM::Role').flatMap(([, { Properties }]) =>
      (Properties['Policies']?.[0].PolicyDocument.Statement ?? []).filter(({ Action }: { Action: string }) => /^kms:/.test(`${Action}`)),
    )
    const named = uses.map(({ Action, Condition }) => {
      const names: string[] = Condition['ForAllValues:StringEquals']['kms:EncryptionContextKeys']
      expect(Condition['Null']).toEqual(Object.fromEntries(names.map((name) => [`kms:EncryptionContext:${name}`, ['false']])))
      return [Action, ...names].join(' ')
    })
    // One function opens the headers; two seal them: the creation and the change of a subscription. The operator's tool seals what an agent
    // needs on its platform; the functions that place calls, receive events and run tools open it.
    expect(named.sort()).toEqual([
      'kms:Decrypt agent',
      'kms:Decrypt agent',
      'kms:Decrypt agent',
      'kms:Decrypt owner subscription',
      'kms:GenerateDataKey owner subscription',
      'kms:GenerateDataKey owner subscription',
    ])
  })

  it('the bucket keeps overwritten objects for 30 days', () => {
    stacks.Data.hasResourceProperties('AWS::S3::Bucket', {
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: { Rules: Match.arrayWith([Match.objectLike({ NoncurrentVersionExpiration: { NoncurrentDays: 30 } })]) },
    })
  })

  it('the bucket keeps uploaded files and rejected rows for 90 days', () => {
    const rules = ['uploads/', 'rejected/'].map((Prefix) => Match.objectLike({ Prefix, ExpirationInDays: 90, Status: 'Enabled' }))
    stacks.Data.hasResourceProperties('AWS::S3::Bucket', { LifecycleConfiguration: { Rules: Match.arrayWith(rules) } })
  })

  it('the bucket keeps records for at least five years, which may have two leap days', () => {
    const rules = [Match.objectLike({ Prefix: 'records/', ExpirationInDays: 1830, Status: 'Enabled' })]
    stacks.Data.hasResourceProperties('AWS::S3::Bucket', { LifecycleConfiguration: { Rules: Match.arrayWith(rules) } })
  })

  it('stored data is encrypted, and not served over plain HTTP', () => {
    stacks.Data.hasResourceProperties('AWS::S3::Bucket', {
      BucketEncryption: { ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    })
    const policies = [...ofType('AWS::S3::BucketPolicy'), ...ofType('AWS::SQS::QueuePolicy')]
    expect(policies).toHaveLength(1 + ofType('AWS::SQS::Queue').length)
    for (const [, { Properties }] of policies)
      expect(Properties['PolicyDocument'].Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } }, Principal: { AWS: '*' } }),
      )
  })

  it('stored data is in one table with a stream, expiry, recovery and three indexes of keys', () => {
    stacks.Data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      Replicas: [
        Match.objectLike({ DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
      ],
      GlobalSecondaryIndexes: [
        Match.objectLike({ IndexName: 'by_owner', Projection: { ProjectionType: 'KEYS_ONLY' } }),
        Match.objectLike({ IndexName: 'by_due', Projection: { ProjectionType: 'KEYS_ONLY' } }),
        Match.objectLike({ IndexName: 'by_change', Projection: { ProjectionType: 'KEYS_ONLY' } }),
      ],
    })
  })
})
