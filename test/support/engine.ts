import { randomBytes } from 'node:crypto'
import { startDynamodb } from '#lib/local/engines/dynamodb.ts'
import { CREDENTIALS, REGION } from '#lib/local/engines/engine.ts'
import { createTables } from '#lib/local/engines/tables.ts'
import type { TableSpec } from '#lib/local/model.ts'
import { findFreePort } from '#lib/local/processes/ports.ts'
import { TABLE } from '#lib/stacks/table-shape.ts'

export const freePort = findFreePort

const keySchema = ({ partitionKey, sortKey }: Pick<typeof TABLE, 'partitionKey' | 'sortKey'>) => [
  { AttributeName: partitionKey.name, KeyType: 'HASH' },
  { AttributeName: sortKey.name, KeyType: 'RANGE' },
]

/** The service's table as the template defines it. Synthesising the template would take a second. */
export const serviceTable = (name: string): TableSpec => ({
  name,
  streamArn: '',
  createTable: {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(TABLE),
    AttributeDefinitions: [TABLE, ...TABLE.indexes].flatMap(({ partitionKey, sortKey }) =>
      [partitionKey, sortKey].map((key) => ({ AttributeName: key.name, AttributeType: key.type })),
    ),
    GlobalSecondaryIndexes: TABLE.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.streamView },
  },
})

export interface Engine {
  readonly url: string
  readonly tableName: string
  stop(): Promise<void>
}

/**
 * Starts a DynamoDB engine with the service's table. With `DYNAMODB_ENDPOINT`, creates a new table on that engine instead. Points the
 * environment of this process to it.
 */
export const startEngine = async (): Promise<Engine> => {
  const tableName = process.env['DYNAMODB_ENDPOINT'] ? `leads-${randomBytes(4).toString('hex')}` : 'leads'
  const { url, stop } = await startDynamodb({ file: undefined, environment: process.env, log: () => {} })
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: url,
    TABLE_NAME: tableName,
  })
  await createTables(url, [serviceTable(tableName)])
  return { url, tableName, stop }
}
