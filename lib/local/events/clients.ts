import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { SQSClient } from '@aws-sdk/client-sqs'
import { CREDENTIALS, REGION } from '../engines/access.ts'

const local = { region: REGION, credentials: CREDENTIALS }

export const dynamodbClient = (endpoint: string): DynamoDBClient => new DynamoDBClient({ ...local, endpoint })

export const streamsClient = (endpoint: string): DynamoDBStreamsClient => new DynamoDBStreamsClient({ ...local, endpoint })

export const sqsClient = (endpoint: string): SQSClient => new SQSClient({ ...local, endpoint, useQueueUrlAsEndpoint: false })
