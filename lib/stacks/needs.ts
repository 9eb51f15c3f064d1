import { allow, type Provision } from '../constructs/provision.ts'
import { IP_DATABASE_FILE, settingsOf } from '../settings.ts'
import type { DataStack } from './data-stack.ts'
import { INDEXES } from './table-shape.ts'

/** What the headers of a subscription are bound to. */
const HEADERS_CONTEXT = ['owner', 'subscription']

/** A transaction is allowed by what its parts are. */
const table = ({ table: { tableName, tableArn } }: DataStack, ...actions: readonly string[]): Provision => ({
  environment: { TABLE_NAME: tableName },
  statements: [allow(actions, tableArn)],
})

/** Only of items whose partition key begins so. */
const partition = (data: DataStack, begin: string, ...actions: readonly string[]): Provision => {
  const { statements = [], ...rest } = table(data, ...actions)
  for (const statement of statements) statement.addCondition('ForAllValues:StringLike', { 'dynamodb:LeadingKeys': [`${begin}#*`] })
  return { ...rest, statements }
}

const index = ({ table: { tableArn } }: DataStack, name: string): Provision => ({
  statements: [allow(['dynamodb:Query'], `${tableArn}/index/${name}`)],
})

/** Only for an owner's subscription, which is named each time: nothing else is encrypted with it. */
const headersKey = ({ headersKey: { keyArn } }: DataStack, action: string): Provision => {
  const statement = allow([action], keyArn)
  statement.addCondition('ForAllValues:StringEquals', { 'kms:EncryptionContextKeys': HEADERS_CONTEXT })
  statement.addCondition('Null', Object.fromEntries(HEADERS_CONTEXT.map((key) => [`kms:EncryptionContext:${key}`, ['false']])))
  return { environment: { HEADERS_KEY_ARN: keyArn }, statements: [statement] }
}

/** Leave for the objects of the bucket of uploads whose keys begin with a folder. */
const objects = ({ uploads, uploadsArnExport }: DataStack, folder: string, actions: readonly string[]): Provision => ({
  environment: { UPLOADS_BUCKET: uploads.bucketName },
  statements: [allow(actions, uploads.arnForObjects(`${folder}/*`))],
  acknowledged: [
    {
      id: `AwsSolutions-IAM5[Resource::${uploadsArnExport}/${folder}/*]`,
      reason: 'Objects are named when they are made: what is allowed is what stands in one folder.',
    },
  ],
})

/** When leads are called of which nobody knows where they are. */
const defaultHours = (data: DataStack): Provision => {
  const { defaultTimezone, defaultWindow } = settingsOf(data)
  return { environment: { DEFAULT_TIMEZONE: defaultTimezone, DEFAULT_WINDOW: defaultWindow } }
}

/** Everything a function can need of what the stacks share, by the word that routes and stacks use for it. */
const needs = {
  'table:get': (data) => table(data, 'dynamodb:GetItem'),
  'table:batch-get': (data) => table(data, 'dynamodb:BatchGetItem'),
  /** Of the table itself; each index is a need of its own. */
  'table:query': (data) => table(data, 'dynamodb:Query'),
  'table:put': (data) => table(data, 'dynamodb:PutItem'),
  'table:update': (data) => table(data, 'dynamodb:UpdateItem'),
  'table:delete': (data) => table(data, 'dynamodb:DeleteItem'),
  'table:batch-write': (data) => table(data, 'dynamodb:BatchWriteItem'),
  /** Of every function that clients ask, beside `table:get`: how many requests they made. */
  throttle: (data) => partition(data, 'THROTTLE', 'dynamodb:UpdateItem'),
  /** Of every function that clients POST to, beside `table:get`: what requests with an `Idempotency-Key` were answered. */
  idempotency: (data) => partition(data, 'IDEMPOTENCY', 'dynamodb:PutItem', 'dynamodb:UpdateItem'),
  'index:by-owner': (data) => index(data, INDEXES.byOwner),
  'index:by-due': (data) => index(data, INDEXES.byDue),
  'calls:send': (data) => data.calls.sending('CALL_QUEUE_URL'),
  /** To have messages back soon that are being handled. */
  'calls:return': ({ calls }) => ({ statements: [allow(['sqs:ChangeMessageVisibility'], calls.queue.queueArn)] }),
  'deliveries:send': (data) => data.deliveries.sending('DELIVERY_QUEUE_URL'),
  /** The queue of slow destinations; beside `deliveries:send`. */
  'slow-deliveries:send': (data) => data.slowDeliveries.sending('SLOW_DELIVERY_QUEUE_URL'),
  'updates:send': (data) => data.updates.sending('UPDATE_QUEUE_URL'),
  /** To make URLs that clients put their files to. */
  'uploads:put': (data) => objects(data, 'uploads', ['s3:PutObject']),
  /** To make URLs that clients get the CSV of their rejected rows from. */
  'rejected:read': (data) => objects(data, 'rejected', ['s3:GetObject']),
  /** To read the files that clients have sent, in the version that came first, and to find out that one is gone. */
  'uploads:read': (data) => {
    const { statements = [], ...rest } = objects(data, 'uploads', ['s3:GetObject', 's3:GetObjectVersion'])
    return { ...rest, statements: [...statements, allow(['s3:ListBucket'], data.uploads.bucketArn)] }
  },
  /** To find out whether a file has come. */
  'uploads:find': (data) => {
    const { statements = [], ...rest } = objects(data, 'uploads', ['s3:GetObject'])
    return { ...rest, statements: [...statements, allow(['s3:ListBucket'], data.uploads.bucketArn)] }
  },
  /** To keep rejected rows, and to put them together. */
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
  'headers-key:seal': (data) => headersKey(data, 'kms:GenerateDataKey'),
  'headers-key:open': (data) => headersKey(data, 'kms:Decrypt'),
  /** To see that a deployment has changed them. */
  'default-hours': defaultHours,
  /** To find out when a lead may be called. */
  'calling-policy': (data) => {
    const { ipDatabase } = settingsOf(data)
    const hours = defaultHours(data)
    if (ipDatabase === '') return hours
    return { environment: { ...hours.environment, IP_DATABASE: `/opt/${IP_DATABASE_FILE}` }, folders: [ipDatabase] }
  },
  /** To ask a voice agent or a calendar, whose address the operator has chosen. */
  'agent-hosts': (data) => ({ environment: { PRIVATE_AGENT_HOSTS: settingsOf(data).privateAgentHosts } }),
  /** To send to an address that a customer has chosen, or to look at one. */
  'webhook-hosts': (data) => ({ environment: { PRIVATE_WEBHOOK_HOSTS: settingsOf(data).privateWebhookHosts } }),
} as const satisfies Readonly<Record<string, (data: DataStack) => Provision>>

export type Need = keyof typeof needs

export const provide = (data: DataStack, ...wanted: readonly Need[]): Provision[] => wanted.map((need) => needs[need](data))
