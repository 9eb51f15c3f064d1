import { allow, type Provision } from '../constructs/provision.ts'
import { settingsOf } from '../settings.ts'
import { type DataStack, INDEXES } from './data-stack.ts'

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query']
const WRITE = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem', 'dynamodb:BatchWriteItem']

const table = ({ table: { tableName, tableArn } }: DataStack, actions: readonly string[]): Provision => ({
  environment: { TABLE_NAME: tableName },
  statements: [allow(actions, tableArn)],
})

const index = ({ table: { tableArn } }: DataStack, name: string): Provision => ({
  statements: [allow(['dynamodb:Query'], `${tableArn}/index/${name}`)],
})

/** Everything a function can need of what the stacks share, by the word that routes and stacks use for it. */
const needs = {
  'table:read': (data) => table(data, READ),
  /** Reading included. */
  'table:write': (data) => table(data, [...READ, ...WRITE]),
  'index:by-owner': (data) => index(data, INDEXES.byOwner),
  'index:by-due': (data) => index(data, INDEXES.byDue),
  'calls:send': (data) => data.calls.sending('CALL_QUEUE_URL'),
  'deliveries:send': (data) => data.deliveries.sending('DELIVERY_QUEUE_URL'),
  'events:publish': ({ bus }) => ({
    environment: { EVENT_BUS_NAME: bus.eventBusName },
    statements: [allow(['events:PutEvents'], bus.eventBusArn)],
  }),
  'phone-hash': ({ phoneHashKey: { secretArn } }) => ({
    environment: { PHONE_HASH_SECRET_ARN: secretArn },
    statements: [allow(['secretsmanager:GetSecretValue'], secretArn)],
  }),
  'default-timezone': (data) => ({ environment: { DEFAULT_TIMEZONE: settingsOf(data).defaultTimezone } }),
  /** To ask an address that a customer or the operator has chosen. */
  'private-hosts': (data) => ({ environment: { PRIVATE_HOSTS: settingsOf(data).privateHosts } }),
} as const satisfies Readonly<Record<string, (data: DataStack) => Provision>>

export type Need = keyof typeof needs

export const provide = (data: DataStack, ...wanted: readonly Need[]): Provision[] => wanted.map((need) => needs[need](data))
