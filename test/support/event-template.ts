import type { Endpoints, EventSourceSpec, FunctionSpec, QueueSpec, RuleSpec, ServiceTemplate, TableSpec } from '#lib/local/model.ts'

const account = '000000000000'

export const emptyTemplate: ServiceTemplate = {
  functions: [],
  tables: [],
  queues: [],
  buckets: [],
  buses: ['events'],
  rules: [],
  eventSources: [],
  secrets: [],
  keys: [],
  api: { routes: [], binaryMediaTypes: [], gatewayResponses: {} },
  operator: {},
}

export const functionOf = (name: string, environment: Record<string, string> = {}): FunctionSpec => ({
  name,
  arn: `arn:aws:lambda:us-east-1:${account}:function:${name}`,
  bundle: '/nowhere',
  handler: 'index.handler',
  environment,
  timeoutSeconds: 10,
  memoryMb: 128,
})

export const queueOf = (name: string, endpoint = 'http://sqs.test', attributes: Record<string, string> = {}): QueueSpec => ({
  name,
  arn: `arn:aws:sqs:us-east-1:${account}:${name}`,
  url: `${endpoint}/${account}/${name}`,
  attributes,
})

export const tableOf = (name: string): TableSpec => ({
  name,
  createTable: {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  },
  streamArn: `arn:aws:dynamodb:us-east-1:${account}:table/${name}/stream/local`,
})

export const mappingOf = (sourceArn: string, functionName: string, rest: Partial<EventSourceSpec> = {}): EventSourceSpec => ({
  functionName,
  sourceArn,
  batchSize: 10,
  windowSeconds: 0,
  reportBatchItemFailures: true,
  maxConcurrency: undefined,
  maxRetries: -1,
  bisectOnError: false,
  filterPatterns: [],
  onFailureArn: undefined,
  ...rest,
})

export const ruleOf = (rest: Partial<RuleSpec> & { targetArn: string }): RuleSpec => ({
  name: 'rule',
  bus: rest.schedule === undefined ? 'events' : undefined,
  pattern: undefined,
  schedule: undefined,
  targets: [{ arn: rest.targetArn, inputPath: undefined, messageGroupId: undefined }],
  ...rest,
})

export const endpointsOf = (rest: Partial<Endpoints>): Endpoints => ({
  dynamodb: 'http://127.0.0.1:9',
  sqs: 'http://127.0.0.1:9',
  s3: 'http://127.0.0.1:9',
  eventbridge: 'http://127.0.0.1:9',
  secretsManager: 'http://127.0.0.1:9',
  kms: 'http://127.0.0.1:9',
  api: 'http://127.0.0.1:9',
  ...rest,
})
