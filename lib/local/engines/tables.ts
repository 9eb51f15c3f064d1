import { CreateTableCommand, DescribeTableCommand, DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb'
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

/** Creates missing tables. An existing table keeps its items and its shape. */
export const createTables = async (endpoint: string, tables: readonly TableSpec[]): Promise<void> => {
  const client = new DynamoDBClient({ endpoint, region: REGION, credentials: CREDENTIALS })
  try {
    await Promise.all(tables.map((table) => createUnlessPresent(client, table)))
  } finally {
    client.destroy()
  }
}

const createUnlessPresent = async (client: DynamoDBClient, table: TableSpec): Promise<void> => {
  try {
    await client.send(new DescribeTableCommand({ TableName: table.name }))
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error
    const { StreamSpecification, ...shape } = v.parse(createTable, table.createTable)
    const stream = StreamSpecification === undefined ? {} : { StreamSpecification: { ...StreamSpecification, StreamEnabled: true } }
    await client.send(new CreateTableCommand({ ...shape, ...stream, TableName: table.name, BillingMode: 'PAY_PER_REQUEST' }))
  }
}
