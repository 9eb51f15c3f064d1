import * as v from 'valibot'
import type { TableSpec } from '../model.ts'
import { ofType, type Resource } from './resource.ts'

export const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }))

const tableSchema = v.object({
  KeySchema: keySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: keySchema,
        Projection: v.object({
          ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: v.optional(v.array(v.string())),
        }),
      }),
    ),
  ),
  StreamSpecification: v.optional(v.object({ StreamViewType: v.string() })),
})

/** Billing is always on demand: this machine neither charges nor throttles. */
export const readTables = (resources: readonly Resource[]): readonly TableSpec[] =>
  ofType(resources, 'AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table').map((resource) => {
    const { StreamSpecification, ...properties } = resource.read(tableSchema)
    return {
      name: resource.name,
      createTable: {
        TableName: resource.name,
        ...properties,
        BillingMode: 'PAY_PER_REQUEST',
        ...(StreamSpecification === undefined ? {} : { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
      },
      streamArn: resource.attribute('StreamArn'),
    }
  })
