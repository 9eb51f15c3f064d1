import { readFile } from 'node:fs/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as v from 'valibot'
import { OperatorFile } from '#lib/local/operator-file.ts'
import { positionsKey } from '#shared/platform/keys.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { openName } from '#shared/positions/open-positions.ts'
import type { Service } from '#test/support/service.ts'

/** More than one taker cleans up for others, so that some are left for the last of them. */
const TAKINGS = 200

/** Leaves an owner's list as after many crashed sandboxes: each of them took the first position. */
export const leaveTakings = async ({ operatorFile, userId }: Service): Promise<void> => {
  const { environment } = v.parse(OperatorFile, JSON.parse(await readFile(operatorFile, 'utf8')))
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', AWS_REGION: region = '', TABLE_NAME: TableName } = environment
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } }))
  const names = Array.from({ length: TAKINGS }, (_, index) => openName(Date.now() - HOUR / 2 - index, 1))
  await client.send(
    new UpdateCommand({
      TableName,
      Key: { ...positionsKey(userId) },
      UpdateExpression: `SET ${names.map((_, index) => `#${index} = :first`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#${index}`, name])),
      ExpressionAttributeValues: { ':first': 1 },
    }),
  )
  client.destroy()
}
