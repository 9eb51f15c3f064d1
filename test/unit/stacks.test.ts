import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { App, Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import { routes } from '#lib/routes.ts'

const WORKERS = ['dispatch-due', 'place-call', 'publish-changes', 'match-webhooks', 'deliver-webhook'].map((name) => `workers/${name}`)
const FUNCTIONS = [...new Set<string>([...routes.map((route) => route.function), 'not-found', ...WORKERS])]

let folder: string
let stacks: Template[]
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
  const app = buildApp({ context: { bundles: folder, privateHosts: 'agent.internal' }, outdir: join(folder, 'out') })
  report = () => app.synth({ force: true })
  stacks = ['Data', 'Api', 'Calling', 'Events'].map((id) => stack(id, app))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Lists are written as such or, with one entry, as that. */
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

describe('the app', () => {
  it('is synthesised without an account, and breaks no security rule without a reason', () => {
    expect(report).not.toThrow()
  })

  it('says what to do when a bundle is missing', () => {
    expect(() => buildApp({ context: { bundles: '/nowhere' }, outdir: join(folder, 'other') })).toThrow(
      /leads\/create is missing.*Run npm run build\.$/,
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
    const expected = routes.map((route) => `${route.method} ${route.path.slice(0, -1)} ${route.function}`)
    expect(
      served()
        .filter((line) => !line.startsWith('ANY '))
        .sort(),
    ).toEqual(expected.sort())
  })

  it('answers everything else on every resource, for the gateway never falls back to the catch-all', () => {
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

  it('is regional, logs every request and takes forms as bytes', () => {
    stacks[1]!.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
      BinaryMediaTypes: ['multipart/form-data', 'application/x-www-form-urlencoded'],
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
      for (const action of list(Action)) expect(action).toMatch(/^[a-z]+:[A-Za-z]+$/)
      // The one action that knows no narrower resource.
      if (Action !== 'dynamodb:ListStreams') expect(JSON.stringify(Resource)).not.toContain('*')
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
    expect(ofQueues()).toHaveLength(3)
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

  it('place one call a run, of those that the sweep of each minute finds', () => {
    stacks[2]!.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' })
    stacks[2]!.hasResourceProperties('AWS::Lambda::EventSourceMapping', { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 50 } })
  })
})

describe('the stream', () => {
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
      Targets: [Match.objectLike({ DeadLetterConfig: {} })],
    })
  })
})

describe('data', () => {
  it('outlives the stack', () => {
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::S3::Bucket', 'AWS::SecretsManager::Secret']) {
      expect(ofType(type)).toHaveLength(1)
      expect(ofType(type)[0]![1]).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' })
    }
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
