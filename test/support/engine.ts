import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'

const BINARY = new URL('../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url).pathname

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })

const tableDefinition = (name: string): CreateTableCommandInput => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'owner_block', AttributeType: 'S' },
    { AttributeName: 'position', AttributeType: 'N' },
    { AttributeName: 'due_key', AttributeType: 'S' },
    { AttributeName: 'due_at', AttributeType: 'S' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by_owner',
      KeySchema: [
        { AttributeName: 'owner_block', KeyType: 'HASH' },
        { AttributeName: 'position', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
    {
      IndexName: 'by_due',
      KeySchema: [
        { AttributeName: 'due_key', KeyType: 'HASH' },
        { AttributeName: 'due_at', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
})

const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })

export interface Engine {
  readonly url: string
  stop(): Promise<void>
}

/** A DynamoDB engine of its own with the service's table; the environment of this process points to it. */
export const startEngine = async (): Promise<Engine> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(BINARY, ['--host', '127.0.0.1', '--port', `${port}`], { stdio: 'ignore' })
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    AWS_ENDPOINT_URL_DYNAMODB: url,
    TABLE_NAME: 'leads',
  })
  const client = new DynamoDBClient({ endpoint: url, maxAttempts: 1 })
  for (let tries = 0; ; tries++) {
    try {
      await client.send(new ListTablesCommand({}))
      break
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await client.send(new CreateTableCommand(tableDefinition('leads')))
  client.destroy()
  return { url, stop: () => stopped(child) }
}
