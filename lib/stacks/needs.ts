import { allow, type Provision } from '../constructs/provision.ts'
import { IP_DATABASE_FILE, settingsOf } from '../settings.ts'
import type { DataStack } from './data-stack.ts'
import { INDEXES } from './table-shape.ts'

/** Encryption contexts: of a subscription's headers, and of an agent's credentials. */
const HEADERS_CONTEXT = ['owner', 'subscription']
const CREDENTIALS_CONTEXT = ['agent']

/** A transaction needs the permissions of its parts. */
const table = ({ table: { tableName, tableArn } }: DataStack, ...actions: readonly string[]): Provision => ({
  environment: { TABLE_NAME: tableName },
  statements: [allow(actions, tableArn)],
})

/** Only for items whose partition key begins like this. */
const partition = (data: DataStack, begin: string, ...actions: readonly string[]): Provision => {
  const { statements = [], ...rest } = table(data, ...actions)
  for (const statement of statements) statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [`${begin}#*`] })
  return { ...rest, statements }
}

const index = ({ table: { tableArn } }: DataStack, name: string): Provision => ({
  statements: [allow(['dynamodb:Query'], `${tableArn}/index/${name}`)],
})

/** Only with exactly this encryption context. */
const sealing = ({ headersKey: { keyArn } }: DataStack, action: string, context: readonly string[]): Provision => {
  const statement = allow([action], keyArn)
  statement.addCondition('ForAllValues:StringEquals', { 'kms:EncryptionContextKeys': context })
  statement.addCondition('Null', Object.fromEntries(context.map((key) => [`kms:EncryptionContext:${key}`, ['false']])))
  return { environment: { HEADERS_KEY_ARN: keyArn }, statements: [statement] }
}

/** Access to the objects in one folder of the uploads bucket. */
const objects = ({ uploads, uploadsArnExport }: DataStack, folder: string, actions: readonly string[]): Provision => ({
  environment: { UPLOADS_BUCKET: uploads.bucketName },
  statements: [allow(actions, uploads.arnForObjects(`${folder}/*`))],
  acknowledged: [
    {
      id: `AwsSolutions-IAM5[Resource::${uploadsArnExport}/${folder}/*]`,
      reason: 'The names of objects are not known before. Access is limited to one folder.',
    },
  ],
})

/** Calling hours of leads whose location is unknown. */
const defaultHours = (data: DataStack): Provision => {
  const { defaultTimezone, defaultWindow } = settingsOf(data)
  return { environment: { DEFAULT_TIMEZONE: defaultTimezone, DEFAULT_WINDOW: defaultWindow } }
}

/** Actions on the instances of Amazon Connect that the operator has named. */
const connect = (data: DataStack, ...actions: readonly string[]): Provision => {
  const { connectInstances: instances } = settingsOf(data)
  if (instances.length === 0) return {}
  return {
    statements: [allow(actions, ...instances.flatMap((arn) => [arn, `${arn}/*`]))],
    acknowledged: instances.map((arn) => ({
      id: `AwsSolutions-IAM5[Resource::${arn}/*]`,
      reason: 'Contacts are parts of an instance, and their ids are not known before.',
    })),
  }
}

/** Everything shared by the stacks that a function may need, by the name that routes and stacks use. */
const needs = {
  'table:get': (data) => table(data, 'dynamodb:GetItem'),
  'table:batch-get': (data) => table(data, 'dynamodb:BatchGetItem'),
  /** Only for the table itself: each index is a separate need. */
  'table:query': (data) => table(data, 'dynamodb:Query'),
  'table:put': (data) => table(data, 'dynamodb:PutItem'),
  'table:update': (data) => table(data, 'dynamodb:UpdateItem'),
  'table:delete': (data) => table(data, 'dynamodb:DeleteItem'),
  'table:batch-write': (data) => table(data, 'dynamodb:BatchWriteItem'),
  /** For every function with client requests, in addition to `table:get`: counts requests for the rate limit. */
  throttle: (data) => partition(data, 'THROTTLE', 'dynamodb:UpdateItem'),
  /** For every function with POST requests of clients, in addition to `table:get`: stores answers to an `Idempotency-Key`. */
  idempotency: (data) => partition(data, 'IDEMPOTENCY', 'dynamodb:PutItem', 'dynamodb:UpdateItem'),
  /** To count for statistics, and to mark what was counted. The function that counts can change nothing else. */
  'statistics:count': (data) => {
    const counts = partition(data, 'STATS', 'dynamodb:GetItem', 'dynamodb:UpdateItem')
    const { statements: markers = [] } = partition(data, 'COUNTED', 'dynamodb:PutItem')
    return { ...counts, statements: [...(counts.statements ?? []), ...markers] }
  },
  'index:by-owner': (data) => index(data, INDEXES.byOwner),
  'index:by-due': (data) => index(data, INDEXES.byDue),
  'index:by-change': (data) => index(data, INDEXES.byChange),
  'calls:send': (data) => data.calls.sending('CALL_QUEUE_URL'),
  /** To make a message that is being handled come back soon. */
  'calls:return': ({ calls }) => ({ statements: [allow(['sqs:ChangeMessageVisibility'], calls.queue.queueArn)] }),
  'deliveries:send': (data) => data.deliveries.sending('DELIVERY_QUEUE_URL'),
  /** The queue of slow destinations, in addition to `deliveries:send`. */
  'slow-deliveries:send': (data) => data.slowDeliveries.sending('SLOW_DELIVERY_QUEUE_URL'),
  /** To count the messages of these queues. The stack of the API adds those of the events. */
  'queues:count': ({ calls, deliveries, slowDeliveries, updates, ingestion }) => {
    const queues = { calls, deliveries, 'slow-deliveries': slowDeliveries, updates, ingestion }
    const urls = Object.entries(queues).map(([name, { queue, deadLetters }]) => [name, queue.queueUrl, deadLetters.queueUrl].join(' '))
    return {
      environment: { COUNTED_QUEUES: urls.join(',') },
      statements: Object.values(queues).flatMap((queue) => queue.counting().statements ?? []),
    }
  },
  'updates:send': (data) => data.updates.sending('UPDATE_QUEUE_URL'),
  /** To name the origin of all signed URLs in the security policy of a page. It gives no access. */
  'uploads:origin': ({ uploads }) => ({ environment: { UPLOADS_ORIGIN: `https://${uploads.bucketRegionalDomainName}` } }),
  /** To make URLs to which clients upload their files. */
  'uploads:put': (data) => objects(data, 'uploads', ['s3:PutObject']),
  /** To make URLs from which clients download the CSV of their rejected rows. */
  'rejected:read': (data) => objects(data, 'rejected', ['s3:GetObject']),
  /** To read uploaded files, in the version that came first, and to find out that one no longer exists. */
  'uploads:read': (data) => {
    const { statements = [], ...rest } = objects(data, 'uploads', ['s3:GetObject', 's3:GetObjectVersion'])
    return { ...rest, statements: [...statements, allow(['s3:ListBucket'], data.uploads.bucketArn)] }
  },
  /** To find out whether a file has arrived. */
  'uploads:find': (data) => {
    const { statements = [], ...rest } = objects(data, 'uploads', ['s3:GetObject'])
    return { ...rest, statements: [...statements, allow(['s3:ListBucket'], data.uploads.bucketArn)] }
  },
  /** To store rejected rows, and to combine them. */
  'rejected:write': (data) => objects(data, 'rejected', ['s3:GetObject', 's3:PutObject']),
  'ingestion:send': (data) => data.ingestion.sending('INGESTION_QUEUE_URL'),
  'events:publish': ({ bus }) => ({
    environment: { EVENT_BUS_NAME: bus.eventBusName },
    statements: [allow(['events:PutEvents'], bus.eventBusArn)],
  }),
  'phone-hash': ({ phoneHashKey: { secretArn } }) => ({
    environment: { PHONE_HASH_SECRET_ARN: secretArn },
    statements: [allow(['secretsmanager:GetSecretValue'], secretArn)],
  }),
  'headers-key:seal': (data) => sealing(data, 'kms:GenerateDataKey', HEADERS_CONTEXT),
  'headers-key:open': (data) => sealing(data, 'kms:Decrypt', HEADERS_CONTEXT),
  /** For functions that ask an agent's platform, or verify what it sends. */
  'agent-credentials:open': (data) => sealing(data, 'kms:Decrypt', CREDENTIALS_CONTEXT),
  /** To detect that a deployment has changed the default hours. */
  'default-hours': defaultHours,
  /** To find out when a lead may be called. */
  'calling-policy': (data) => {
    const { ipDatabase } = settingsOf(data)
    const hours = defaultHours(data)
    if (ipDatabase === '') return hours
    return { environment: { ...hours.environment, IP_DATABASE: `/opt/${IP_DATABASE_FILE}` }, folders: [ipDatabase] }
  },
  /** To find out which channels a person's stop ends. */
  revocation: (data) => ({ environment: { REVOKE_ALL_FROM: settingsOf(data).revokeAllFrom } }),
  /** For functions that send requests to a voice agent or a calendar. The operator has chosen both addresses. */
  'agent-hosts': (data) => ({ environment: { PRIVATE_AGENT_HOSTS: settingsOf(data).privateAgentHosts } }),
  /** To place calls through Amazon Connect, and to look up those of which it is not known whether they were placed. */
  'connect:call': (data) => connect(data, 'connect:StartOutboundVoiceContact', 'connect:SearchContacts'),
  /** To ask how calls go, and to end them. */
  'connect:contacts': (data) => connect(data, 'connect:DescribeContact', 'connect:GetContactAttributes', 'connect:StopContact'),
  /** To send to an address that a customer has chosen, or to check one. */
  'webhook-hosts': (data) => ({ environment: { PRIVATE_WEBHOOK_HOSTS: settingsOf(data).privateWebhookHosts } }),
} as const satisfies Readonly<Record<string, (data: DataStack) => Provision>>

export type Need = keyof typeof needs

export const provide = (data: DataStack, ...wanted: readonly Need[]): Provision[] => wanted.map((need) => needs[need](data))
