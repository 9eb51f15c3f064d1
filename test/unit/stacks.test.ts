import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { App, Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import { routes } from '#lib/routes.ts'

const WORKERS = ['apply-updates', 'dispatch-due', 'place-call', 'publish-changes', 'match-webhooks', 'deliver-webhook', 'ingest-csv'].map(
  (name) => `workers/${name}`,
)
const FUNCTIONS = [...new Set<string>([...routes.map((route) => route.function), 'not-found', ...WORKERS])]

let folder: string
let stacks: Template[]
let app: App
let report: () => void

const stack = (id: string, app: App) => Template.fromStack(app.node.findChild(id) as Stack)
const ofType = (type: string) =>
  stacks.flatMap((template) =>
    Object.entries(template.findResources(type)).map(([id, { Properties, ...rest }]) => [id, { Properties, ...rest }] as const),
  )
const byId = (type: string) => Object.fromEntries(ofType(type))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stacks-'))
  for (const name of FUNCTIONS) {
    mkdirSync(join(folder, bundleName(name)))
    writeFileSync(join(folder, bundleName(name), 'index.mjs'), `export const handler = async () => '${name}'`)
  }
  app = buildApp({ context: { bundles: folder, privateHosts: 'agent.internal' }, outdir: join(folder, 'out') })
  app.synth({ skipValidation: true })
  report = () => app.synth({ force: true })
  stacks = ['Data', 'Api', 'Calling', 'Events', 'Ingestion'].map((id) => stack(id, app))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Lists are written as such or, with one entry, as that. */
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

describe('the app', () => {
  it('is synthesised without an account, and breaks no security rule without a reason', () => {
    expect(report).not.toThrow()
  })

  it('is deployed so that what tells of changes knows their shapes before they are written', () => {
    const awaited = (id: string) => (app.node.findChild(id) as Stack).dependencies.map(({ node }) => node.id).toSorted()
    expect(awaited('Events')).toEqual(['Data'])
    expect(awaited('Api')).toEqual(['Data', 'Events'])
    expect(awaited('Ingestion')).toEqual(['Data', 'Events'])
    expect(awaited('Calling')).toEqual(['Api', 'Data', 'Events'])
  })

  it('says what to do when a bundle is missing', () => {
    expect(() => buildApp({ context: { bundles: '/nowhere' }, outdir: join(folder, 'other') })).toThrow(
      /workers\/publish-changes is missing.*Run npm run build\.$/,
    )
  })
})

describe('the API', () => {
  const served = () => {
    const found = byId('AWS::ApiGateway::Resource')
    const path = (id: { Ref?: string }): string => {
      const resource = id.Ref === undefined ? undefined : found[id.Ref]
      return resource ? `${path(resource.Properties['ParentId'])}/${resource.Properties['PathPart']}` : ''
    }
    const functions = byId('AWS::Lambda::Function')
    return ofType('AWS::ApiGateway::Method').map(([, { Properties }]) => {
      const [id] = Properties['Integration'].Uri['Fn::Join'][1].flatMap(
        (part: { 'Fn::GetAtt'?: string[] }) => part['Fn::GetAtt']?.[0] ?? [],
      )
      return `${Properties['HttpMethod']} ${path(Properties['ResourceId'])} ${functions[id]?.Properties['Description']}`
    })
  }

  it('serves exactly the table of routes', () => {
    const methods = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
    const expected = routes.flatMap((route) =>
      methods(route.method).map((method) => `${method} ${route.path.slice(0, -1)} ${route.function}`),
    )
    expect(
      served()
        .filter((line) => !line.startsWith('ANY '))
        .sort(),
    ).toEqual(expected.sort())
  })

  it('answers everything else on every resource, so that no method of a literal one falls to its sibling with a parameter', () => {
    const rest = served().filter((line) => line.startsWith('ANY '))
    expect(rest).toHaveLength(ofType('AWS::ApiGateway::Resource').length + 1)
    expect(rest.every((line) => line.endsWith(' not-found'))).toBe(true)
    expect(rest).toContain('ANY /{proxy+} not-found')
    expect(rest).toContain('ANY  not-found')
  })

  it('lets the gateway call each function with one permission', () => {
    const permissions = ofType('AWS::Lambda::Permission').filter(
      ([, { Properties }]) => Properties['Principal'] === 'apigateway.amazonaws.com',
    )
    expect(permissions).toHaveLength(new Set(routes.map((route) => route.function)).size + 1)
  })

  it('gives the errors of the gateway the shape of all others', () => {
    const responses = ofType('AWS::ApiGateway::GatewayResponse').map(([, { Properties }]) => Properties)
    expect(responses.map((response) => response['ResponseType'])).toEqual(
      expect.arrayContaining(['DEFAULT_4XX', 'DEFAULT_5XX', 'REQUEST_TOO_LARGE', 'THROTTLED']),
    )
    for (const response of responses) {
      const text = response['ResponseTemplates']['application/json'].replace('$context.error.messageString', '"text"')
      expect(JSON.parse(text)).toEqual({ detail: expect.any(String) })
      expect(response['ResponseParameters']['gatewayresponse.header.X-Request-Id']).toBe('context.requestId')
    }
  })

  it('writes a line of JSON for every request, with nothing that a client sent but its path', () => {
    const format = ofType('AWS::ApiGateway::Stage')[0]![1].Properties['AccessLogSetting'].Format
    const line = JSON.parse(format.replaceAll(/\$context\.[\w.]+/g, '-'))
    expect(Object.values(line)).toEqual(Object.keys(line).map(() => '-'))
    expect(format).not.toMatch(/header|body|queryString|error\.message/)
  })

  it('sets the role that writes logs, which an account has once, unless told not to', () => {
    expect(ofType('AWS::ApiGateway::Account')).toHaveLength(1)
    const app = buildApp({ context: { bundles: folder, gatewayLogRole: 'false' }, outdir: join(folder, 'without-role') })
    stack('Api', app).resourceCountIs('AWS::ApiGateway::Account', 0)
    expect(() => app.synth()).not.toThrow()
  })

  it('is regional, logs every request and takes bodies as bytes', () => {
    stacks[1]!.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded'],
    })
    stacks[1]!.hasResourceProperties('AWS::ApiGateway::Stage', {
      AccessLogSetting: { DestinationArn: Match.anyValue() },
      MethodSettings: [Match.objectLike({ ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 })],
    })
  })
})

describe('functions', () => {
  it('are all there, on Node 24 and arm64', () => {
    const functions = ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties)
    expect(functions.map((properties) => properties['Description']).sort()).toEqual([...FUNCTIONS].sort())
    for (const properties of functions)
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' })
  })

  it('log to a group that forgets', () => {
    const groups = byId('AWS::Logs::LogGroup')
    for (const group of Object.values(groups)) expect(group.Properties['RetentionInDays']).toBe(30)
    for (const [, { Properties }] of ofType('AWS::Lambda::Function'))
      expect(Object.keys(groups)).toContain(Properties['LoggingConfig'].LogGroup.Ref)
  })

  it('each have an alarm that says what breaks for whom', () => {
    const watched = ofType('AWS::CloudWatch::Alarm')
      .filter(([, { Properties }]) => Properties['MetricName'] === 'Errors')
      .map(([, { Properties }]) => Properties['Dimensions'][0].Value.Ref)
    expect(watched.sort()).toEqual(
      ofType('AWS::Lambda::Function')
        .map(([id]) => id)
        .sort(),
    )
    for (const [, { Properties }] of ofType('AWS::CloudWatch::Alarm')) expect(Properties['AlarmDescription']).toMatch(/^[A-Z].{30,}\.$/)
  })

  it('may do what they need and nothing else', () => {
    const roles = ofType('AWS::IAM::Role').filter(([, { Properties }]) => Properties['Policies'])
    expect(roles).toHaveLength(FUNCTIONS.length)
    expect(ofType('AWS::IAM::Policy')).toEqual([])
    for (const { Action, Effect, Resource } of roles.flatMap(([, { Properties }]) => Properties['Policies'][0].PolicyDocument.Statement)) {
      expect(Effect).toBe('Allow')
      for (const action of list(Action)) expect(action).toMatch(/^[a-z0-9]+:[A-Za-z]+$/)
      // The one action that knows no narrower resource. Objects have theirs in the folder that is allowed.
      if (Action !== 'dynamodb:ListStreams') expect(JSON.stringify(Resource).replace(/"\/\w+\/\*"/g, '')).not.toContain('*')
    }
  })

  it('are told the settings of the deployment', () => {
    stacks[2]!.hasResourceProperties('AWS::Lambda::Function', { Environment: { Variables: { PRIVATE_HOSTS: 'agent.internal' } } })
  })
})

describe('queues', () => {
  const queues = () => byId('AWS::SQS::Queue')
  const mappings = () => ofType('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties)
  const ofQueues = () => mappings().filter((mapping) => mapping['FilterCriteria'] === undefined)
  /** A queue is named in its own stack, or in an export of another one. */
  const queueOf = (arn: unknown) => {
    const text = JSON.stringify(arn)
    return Object.entries(queues()).find(([id]) => text.includes(id))![1]
  }

  it('that a function consumes have dead letters, kept for 14 days', () => {
    expect(ofQueues()).toHaveLength(6)
    for (const mapping of ofQueues()) {
      const { RedrivePolicy } = queueOf(mapping['EventSourceArn']).Properties
      expect(RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(5)
      expect(queueOf(RedrivePolicy.deadLetterTargetArn).Properties['MessageRetentionPeriod']).toBe(14 * 24 * 3600)
    }
  })

  it('hide a message six times as long as its function may take, and hear which failed', () => {
    const functions = byId('AWS::Lambda::Function')
    for (const mapping of ofQueues()) {
      const timeout = functions[mapping['FunctionName'].Ref]!.Properties['Timeout']
      expect(queueOf(mapping['EventSourceArn']).Properties['VisibilityTimeout']).toBe(6 * timeout)
      expect(mapping['FunctionResponseTypes']).toEqual(['ReportBatchItemFailures'])
    }
  })

  it('are encrypted, refuse plain HTTP, and dead letters raise an alarm', () => {
    for (const { Properties } of Object.values(queues())) expect(Properties['SqsManagedSseEnabled']).toBe(true)
    expect(ofType('AWS::SQS::QueuePolicy')).toHaveLength(Object.keys(queues()).length)
    const watched = ofType('AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => Properties['MetricName'] === 'ApproximateNumberOfMessagesVisible',
    )
    expect(watched).toHaveLength(Object.values(queues()).filter(({ Properties }) => Properties['RedrivePolicy'] === undefined).length)
  })

  it('raise an alarm when messages wait, in a sentence of their own', () => {
    const late = ofType('AWS::CloudWatch::Alarm').filter(
      ([, { Properties }]) => Properties['MetricName'] === 'ApproximateAgeOfOldestMessage',
    )
    const watched = late.map(([, { Properties }]) => Properties['Dimensions'][0].Value['Fn::GetAtt'][0])
    const consumed = Object.entries(queues()).filter(([, { Properties }]) => Properties['RedrivePolicy'] !== undefined)
    expect(watched.sort()).toEqual(consumed.map(([id]) => id).sort())
    expect(new Set(late.map(([, { Properties }]) => Properties['AlarmDescription'])).size).toBe(late.length)
  })

  it('try the message of a call ten times: an unclear answer of the agent alone takes three', () => {
    const [calls] = Object.entries(queues()).filter(([id]) => /^CallsQueue/.test(id))
    expect(calls![1].Properties['RedrivePolicy'].maxReceiveCount).toBe(10)
  })

  it('leave runs of the account to others', () => {
    for (const mapping of ofQueues()) expect(mapping['ScalingConfig']).toEqual({ MaximumConcurrency: expect.any(Number) })
  })

  it('place one call a run, of those that the sweep of each minute finds', () => {
    stacks[2]!.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' })
    stacks[2]!.hasResourceProperties('AWS::Lambda::EventSourceMapping', { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 50 } })
  })
})

describe('the sweep', () => {
  it('is not repeated when it fails: the next minute has the next one', () => {
    stacks[2]!.hasResourceProperties('AWS::Lambda::EventInvokeConfig', { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 })
    stacks[2]!.hasResourceProperties('AWS::Events::Rule', { Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 0 } })] })
  })
})

describe('the stream', () => {
  it('says of what it gave up what is missing, not what is late', () => {
    const texts = ofType('AWS::CloudWatch::Alarm').map(([id, { Properties }]) => [id, Properties['AlarmDescription']] as const)
    const textOf = (part: string) => texts.find(([id]) => id.includes(part))?.[1]
    expect(textOf('GivenUpNotEmpty')).toMatch(/until they are sent again/)
    expect(textOf('PublishChangesLag')).toMatch(/late/)
  })

  it('asks about the items that events are derived from, and skips nothing while there is a chance', () => {
    const [mapping, ...others] = ofType('AWS::Lambda::EventSourceMapping').filter(([, { Properties }]) => Properties['FilterCriteria'])
    expect(others).toEqual([])
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

  it('goes from the bus to the queue of events', () => {
    stacks[3]!.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['lead-outreach'] },
      // Of its customer: what one of them has happen by the hundred thousand does not stand before everybody else's.
      Targets: [Match.objectLike({ DeadLetterConfig: {}, SqsParameters: { MessageGroupId: '$.detail.group' } })],
    })
  })
})

describe('data', () => {
  it('outlives the stack', () => {
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret', 'AWS::KMS::Key']) {
      expect(ofType(type)).toHaveLength(1)
      expect(ofType(type)[0]![1]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
    }
  })

  it('has a key for headers, which rotates, and which is used for a subscription of an owner alone', () => {
    stacks[0]!.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true })
    const uses = ofType('AWS::IAM::Role').flatMap(([, { Properties }]) =>
      (Properties['Policies']?.[0].PolicyDocument.Statement ?? []).filter(({ Action }: { Action: string }) => /^kms:/.test(`${Action}`)),
    )
    expect(uses.map(({ Action }) => Action).sort()).toEqual(['kms:Decrypt', 'kms:GenerateDataKey'])
    for (const { Condition } of uses) {
      expect(Condition).toEqual({
        'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['owner', 'subscription'] },
        Null: { 'kms:EncryptionContext:owner': ['false'], 'kms:EncryptionContext:subscription': ['false'] },
      })
    }
  })

  it('keeps what was overwritten in the bucket for a month', () => {
    stacks[0]!.hasResourceProperties('AWS::S3::Bucket', {
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: { Rules: Match.arrayWith([Match.objectLike({ NoncurrentVersionExpiration: { NoncurrentDays: 30 } })]) },
    })
  })

  it('keeps files that were sent, and their rejected rows, as long as their uploads are known', () => {
    const rules = ['uploads/', 'rejected/'].map((Prefix) => Match.objectLike({ Prefix, ExpirationInDays: 90, Status: 'Enabled' }))
    stacks[0]!.hasResourceProperties('AWS::S3::Bucket', { LifecycleConfiguration: { Rules: Match.arrayWith(rules) } })
  })

  it('is one table with a stream of both images, expiry, recovery and two indexes of keys', () => {
    stacks[0]!.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
      Replicas: [
        Match.objectLike({ DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }),
      ],
      GlobalSecondaryIndexes: [
        Match.objectLike({ IndexName: 'by_owner', Projection: { ProjectionType: 'KEYS_ONLY' } }),
        Match.objectLike({ IndexName: 'by_due', Projection: { ProjectionType: 'KEYS_ONLY' } }),
      ],
    })
  })
})
