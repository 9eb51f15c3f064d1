import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Endpoints, FunctionSpec, ServiceTemplate } from '#lib/local/model.ts'
import { readServiceTemplate } from '#lib/local/template/read.ts'
import { synthesiseSample } from '#test/support/sample-app.ts'

const endpoints: Endpoints = {
  dynamodb: 'http://127.0.0.1:4001',
  sqs: 'http://127.0.0.1:4002',
  s3: 'http://127.0.0.1:4003',
  eventbridge: 'http://127.0.0.1:4004',
  secretsManager: 'http://127.0.0.1:4005',
  kms: 'http://127.0.0.1:4006',
  api: 'http://127.0.0.1:3000',
}

const folder = mkdtempSync(join(tmpdir(), 'template-read-'))
let template: ServiceTemplate
const functionNamed = (start: string): FunctionSpec => template.functions.find(({ name }) => name.startsWith(start))!
const queueNamed = (start: string) => template.queues.find(({ name }) => name.startsWith(start))!

beforeAll(() => {
  template = readServiceTemplate(synthesiseSample(folder), endpoints)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a synthesised app read for this machine', () => {
  it('every function of a template has its bundle, limits and environment, without those of custom resources', () => {
    expect(template.functions.map(({ name }) => name.slice(0, 6))).toEqual(['Answer', 'Worker'])
    const answer = functionNamed('Answer')
    expect(answer).toMatchObject({ handler: 'index.handler', timeoutSeconds: 3, memoryMb: 128 })
    expect(answer.arn).toBe(`arn:aws:lambda:us-east-1:000000000000:function:${answer.name}`)
    expect(answer.environment).toEqual({
      TABLE_NAME: template.tables[0]!.name,
      CALL_QUEUE_URL: `${endpoints.sqs}/000000000000/${queueNamed('Queue').name}`,
      EVENT_BUS_NAME: template.buses[0],
      KEY_ARN: template.secrets[0]!.arn,
    })
    expect(functionNamed('Worker')).toMatchObject({ timeoutSeconds: 30, memoryMb: 512 })
    expect(functionNamed('Worker').bundle).toMatch(/^\/.*\/out\/asset\./)
    expect(functionNamed('Worker').bundle).not.toBe(answer.bundle)
  })

  it("the API's address on AWS in a template becomes the local address", () => {
    expect(functionNamed('Worker').environment).toMatchObject({
      PUBLIC_BASE_URL: 'http://127.0.0.1:3000/',
      LEADS_URL: 'http://127.0.0.1:3000/api/leads',
    })
  })

  it('the table of a template is described as CreateTable expects it', () => {
    const [table] = template.tables
    expect(table!.createTable).toEqual({
      TableName: table!.name,
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'due_key'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
      GlobalSecondaryIndexes: [
        { IndexName: 'by_due', KeySchema: [{ AttributeName: 'due_key', KeyType: 'HASH' }], Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
    expect(functionNamed('Worker').environment['STREAM']).toBe(table!.streamArn)
  })

  it('the dead-letter queues of a template are listed before the queues that name them', () => {
    const names = template.queues.map(({ name }) => name)
    expect(names.at(-1)).toBe(queueNamed('Queue').name)
    const { VisibilityTimeout, RedrivePolicy } = queueNamed('Queue').attributes
    expect(VisibilityTimeout).toBe('180')
    expect(JSON.parse(RedrivePolicy!)).toEqual({ deadLetterTargetArn: queueNamed('Dead').arn, maxReceiveCount: 5 })
  })

  it('the enabled event source mappings of a template are read with their defaults', () => {
    const common = { functionName: functionNamed('Worker').name, reportBatchItemFailures: true }
    expect(template.eventSources).toEqual([
      {
        ...common,
        sourceArn: queueNamed('Queue').arn,
        batchSize: 1,
        windowSeconds: 0,
        maxConcurrency: 5,
        maxRetries: -1,
        bisectOnError: false,
        filterPatterns: [],
        onFailureArn: undefined,
      },
      {
        ...common,
        sourceArn: template.tables[0]!.streamArn,
        batchSize: 50,
        windowSeconds: 1,
        maxConcurrency: undefined,
        maxRetries: 7,
        bisectOnError: true,
        filterPatterns: [{ eventName: ['INSERT'] }],
        onFailureArn: queueNamed('Dead').arn,
      },
    ])
  })

  it('schedules of a template are read without a bus, and rules with their bus', () => {
    const target = { inputPath: undefined, messageGroupId: undefined }
    expect(template.rules.map(({ name: _, ...rule }) => rule)).toEqual([
      { bus: undefined, pattern: undefined, schedule: 'rate(1 minute)', targets: [{ ...target, arn: functionNamed('Worker').arn }] },
      {
        bus: template.buses[0],
        pattern: { source: ['lead-outreach'], detail: { owner: [{ exists: true }] } },
        schedule: undefined,
        targets: [{ ...target, arn: queueNamed('Events').arn }],
      },
    ])
  })

  it('bucket notifications of a template are read from the custom resource and from the property, with what pages may do', () => {
    expect(template.buckets).toEqual([
      {
        name: expect.stringMatching(/^uploads[a-z0-9]+$/),
        pageMethods: ['PUT'],
        notifications: [{ events: ['s3:ObjectCreated:*'], targetArn: functionNamed('Worker').arn, prefix: 'in/', suffix: '.csv' }],
      },
      {
        name: 'plain',
        pageMethods: [],
        notifications: [{ events: ['s3:ObjectRemoved:*'], targetArn: queueNamed('Events').arn, prefix: '', suffix: '' }],
      },
    ])
  })

  it('routes, binary media types and gateway responses of a template are read', () => {
    const functionName = functionNamed('Answer').name
    expect(template.api.routes).toHaveLength(4)
    expect(template.api.routes).toEqual(
      expect.arrayContaining([
        { method: 'POST', path: '/api/leads', functionName },
        { method: 'GET', path: '/api/leads/{id}', functionName },
        { method: 'ANY', path: '/', functionName },
        { method: 'ANY', path: '/{proxy+}', functionName },
      ]),
    )
    expect(template.api.binaryMediaTypes).toEqual(['multipart/form-data'])
    expect(template.api.gatewayResponses).toEqual({
      REQUEST_TOO_LARGE: {
        statusCode: 413,
        template: '{"detail": $context.error.messageString}',
        headers: { 'X-Request-Id': 'context.requestId', 'X-Kind': "'gateway'" },
      },
    })
  })

  it('generated secrets of a template are read', () => {
    expect(template.secrets).toEqual([{ arn: expect.stringMatching(/:secret:Secret\w+-000000$/), generateLength: 64 }])
  })
})

const LAMBDA = 'arn:aws:lambda:us-east-1:000000000000:function:worker'
const STREAM = 'arn:aws:dynamodb:us-east-1:000000000000:table/leads/stream/local'

/** Reads an app that has one stack with one resource. */
const readOne = (Type: string, Properties: Record<string, unknown>) => {
  const directory = mkdtempSync(join(tmpdir(), 'template-one-'))
  try {
    const manifest = { artifacts: { One: { type: 'aws:cloudformation:stack', properties: { templateFile: 'one.json' } } } }
    writeFileSync(join(directory, 'manifest.json'), JSON.stringify(manifest))
    writeFileSync(join(directory, 'one.json'), JSON.stringify({ Resources: { It: { Type, Properties } } }))
    return readServiceTemplate(directory, endpoints)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

describe('a setting that the local run does not support', () => {
  const mapping = { FunctionName: LAMBDA, EventSourceArn: STREAM }
  const rule = (target: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
    ScheduleExpression: 'rate(1 minute)',
    Targets: [{ Id: 'it', Arn: LAMBDA, ...target }],
    ...more,
  })

  it.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'a factor',
      'AWS::Lambda::EventSourceMapping',
      { ...mapping, ParallelizationFactor: 4 },
      /ParallelizationFactor is not understood: one batch of a shard/,
    ],
    [
      'a tumbling window',
      'AWS::Lambda::EventSourceMapping',
      { ...mapping, TumblingWindowInSeconds: 60 },
      /TumblingWindowInSeconds is not understood/,
    ],
    [
      'another start',
      'AWS::Lambda::EventSourceMapping',
      { ...mapping, StartingPosition: 'LATEST' },
      /StartingPosition is not understood: streams are read/,
    ],
    [
      'another source',
      'AWS::Lambda::EventSourceMapping',
      { ...mapping, SelfManagedEventSource: {} },
      /its property SelfManagedEventSource is not known/,
    ],
    ['an unknown property of a rule', 'AWS::Events::Rule', rule({}, { Priority: 1 }), /its property Priority is not known/],
    ['an unknown property of a target', 'AWS::Events::Rule', rule({ EcsParameters: {} }), /Targets\.0\.EcsParameters is not understood/],
  ])('a setting that the local run does not support is refused in one sentence: %s', (_, type, properties, sentence) => {
    expect(() => readOne(type, properties)).toThrow(sentence)
    expect(() => readOne(type, properties)).toThrow(/^Resource It of stack One cannot run locally: [^\n]+\.$/)
  })

  it('an unsupported setting is ignored when it has no effect', () => {
    const known = { ParallelizationFactor: 1, TumblingWindowInSeconds: 0, StartingPosition: 'TRIM_HORIZON', MaximumRecordAgeInSeconds: 60 }
    expect(readOne('AWS::Lambda::EventSourceMapping', { ...mapping, ...known }).eventSources).toHaveLength(1)
    const target = { RetryPolicy: { MaximumRetryAttempts: 0 }, DeadLetterConfig: { Arn: 'x' } }
    expect(readOne('AWS::Events::Rule', rule(target)).rules[0]?.targets).toEqual([
      { arn: LAMBDA, inputPath: undefined, messageGroupId: undefined },
    ])
  })
})
