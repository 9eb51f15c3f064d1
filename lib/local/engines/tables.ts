import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import * as v from 'valibot'
import type { TableSpec } from '../model.ts'
import { keySchema } from '../template/tables.ts'
import { CREDENTIALS, REGION } from './engine.ts'

const projection = v.exactOptional(
  v.object({
    ProjectionType: v.exactOptional(v.picklist(['ALL', 'INCLUDE', 'KEYS_ONLY'])),
    NonKeyAttributes: v.exactOptional(v.array(v.string())),
  }),
  {},
)

const createTable = v.object({
  KeySchema: keySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: v.exactOptional(v.array(v.object({ IndexName: v.string(), KeySchema: keySchema, Projection: projection }))),
  StreamSpecification: v.exactOptional(
    v.object({ StreamViewType: v.picklist(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) }),
  ),
})

/** Creates missing tables, and the missing indexes of existing ones, as a deployment would. */
export const createTables = async (endpoint: string, tables: readonly TableSpec[]): Promise<void> => {
  const client = new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS })
  try {
    await Promise.all(tables.map((table) => createMissing(client, table)))
  } finally {
    client.destroy()
  }
}

const createMissing = async (client: DynamoDBClient, table: TableSpec): Promise<void> => {
  const { StreamSpecification, ...shape } = v.parse(createTable, table.createTable)
  const indexes = await indexesOf(client, table.name)
  if (indexes === undefined) {
    const stream = StreamSpecification === undefined ? {} : { StreamSpecification: { ...StreamSpecification, StreamEnabled: true } }
    await client.send(new CreateTableCommand({ ...shape, ...stream, TableName: table.name, BillingMode: 'PAY_PER_REQUEST' }))
    return
  }
  for (const index of shape.GlobalSecondaryIndexes ?? []) {
    if (indexes.has(index.IndexName)) continue
    const { AttributeDefinitions } = shape
    const GlobalSecondaryIndexUpdates = [{ Create: index }]
    await client.send(new UpdateTableCommand({ TableName: table.name, AttributeDefinitions, GlobalSecondaryIndexUpdates }))
  }
}

/** Names of a table's indexes; undefined when there is no such table. */
const indexesOf = async (client: DynamoDBClient, name: string): Promise<Set<string | undefined> | undefined> => {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }))
    return new Set(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName))
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  }
}
