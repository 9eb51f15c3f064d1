import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { findProgram, startDynamodb } from '#lib/local/engines/dynamodb.ts'
import { CREDENTIALS, REGION, StartFailure } from '#lib/local/engines/engine.ts'
import { createTables } from '#lib/local/engines/tables.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { eventually } from '#test/support/eventually.ts'

interface Locked {
  readonly version: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const LOCK: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(readFileSync('package-lock.json', 'utf8'))

const table = {
  name: 'things',
  streamArn: 'arn:aws:dynamodb:us-east-1:123456789012:table/things/stream/x',
  createTable: {
    TableName: 'things',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'due_key', AttributeType: 'S' },
    ],
    GlobalSecondaryIndexes: [
      { IndexName: 'by_due', KeySchema: [{ AttributeName: 'due_key', KeyType: 'HASH' }], Projection: { ProjectionType: 'KEYS_ONLY' } },
    ],
    StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
  },
}

const log = () => {}
const { PATH } = process.env
const { directory, cleanUp } = cleanUpEach('dynamodb')

const dynamodb = async (file: string | undefined) => {
  const engine = await startDynamodb({ file, environment: { PATH }, log })
  const client = new DynamoDBClient({ endpoint: engine.url, region: REGION, credentials: CREDENTIALS })
  cleanUp(engine.stop, () => client.destroy())
  return { ...engine, client }
}

/** Starts the engine on `file` in a child process, which prints its address. */
const engineInProcess = async (file: string) => {
  const program = `
    const { startDynamodb } = await import(${JSON.stringify(new URL('../../../lib/local/engines/dynamodb.ts', import.meta.url).href)})
    const engine = await startDynamodb({ file: ${JSON.stringify(file)}, environment: process.env, log() {} })
    console.log(engine.url)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  cleanUp(() => owner.kill('SIGKILL'))
  const [url] = await once(createInterface({ input: owner.stdout }), 'line')
  return { owner, url: String(url) }
}

const answers = async (url: string): Promise<boolean> => {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

describe('the DynamoDB engine', () => {
  it('the DynamoDB engine keeps the data of a table that is created again', async () => {
    const { client, url } = await dynamodb(undefined)
    await createTables(url, [table])
    await client.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'a' } } }))
    await createTables(url, [table])
    expect((await client.send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } }))).Item).toEqual({ pk: { S: 'a' } })
  })

  it('the DynamoDB engine adds the missing index of a table that is created again, with its items', async () => {
    const { client, url } = await dynamodb(undefined)
    const { GlobalSecondaryIndexes, AttributeDefinitions, ...shape } = table.createTable
    await createTables(url, [{ ...table, createTable: { ...shape, AttributeDefinitions: AttributeDefinitions.slice(0, 1) } }])
    await client.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'a' }, due_key: { S: 'today' } } }))
    await createTables(url, [table])
    const asked = { KeyConditionExpression: 'due_key = :key', ExpressionAttributeValues: { ':key': { S: 'today' } } }
    const { Count } = await client.send(new QueryCommand({ TableName: 'things', IndexName: 'by_due', ...asked }))
    expect(Count).toBe(1)
  })

  it('the DynamoDB engine dies with its parent process, but keeps its data', async () => {
    const file = join(directory(), 'dynamodb')
    const { owner, url } = await engineInProcess(file)
    await createTables(url, [table])
    const client = new DynamoDBClient({ endpoint: url, region: REGION, credentials: CREDENTIALS })
    cleanUp(() => client.destroy())
    await client.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'a' } } }))
    owner.kill('SIGKILL')
    await eventually(async () => !(await answers(url)))

    const again = await dynamodb(file)
    expect((await again.client.send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } }))).Item).toBeDefined()
  })

  it('the DynamoDB engine does not answer after it is stopped', async () => {
    const { url, stop } = await dynamodb(undefined)
    await stop()
    expect(await answers(url)).toBe(false)
  })

  it('the DynamoDB engine may be an external engine, which keeps running after the stop', async () => {
    const { url } = await dynamodb(undefined)
    const engine = await startDynamodb({ file: undefined, environment: { DYNAMODB_ENDPOINT: `${url}/` }, log })
    expect(engine.url).toBe(url)
    await engine.stop()
    expect(await answers(url)).toBe(true)
  })

  it('an external DynamoDB engine must answer at the configured address', async () => {
    const start = startDynamodb({ file: undefined, environment: { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' }, log })
    await expect(start).rejects.toThrow(
      new StartFailure('No DynamoDB engine answers at http://127.0.0.1:9, which DYNAMODB_ENDPOINT names.'),
    )
  })

  it('the DynamoDB engine is found on the PATH when no package has it', () => {
    writeFileSync(join(directory(), 'dynoxide'), '', { mode: 0o755 })
    const unknown = { platform: 'sunos', arch: 'x64' }
    expect(findProgram(`/nowhere:${directory()}`, unknown)).toBe(join(directory(), 'dynoxide'))
    expect(() => findProgram('/nowhere', unknown)).toThrow(
      /^No DynamoDB engine was found for sunos-x64\. npm has no package of one for this platform\. Put dynoxide on the PATH, or name .* DYNAMODB_ENDPOINT/,
    )
  })

  it.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])(
    'the DynamoDB engine comes from a package that only %s installs',
    (machine) => {
      const [platform, arch] = machine.split('-') as [string, string]
      const { version, ...locked } = LOCK.packages[`node_modules/@dynoxide/${machine}`]!
      expect(locked).toMatchObject({ os: [platform], cpu: [arch], optional: true })
      expect(LOCK.packages['']?.optionalDependencies?.[`@dynoxide/${machine}`]).toBe(version)
    },
  )

  it('a missing DynamoDB engine is asked for by the name of its package where npm has one', () => {
    // Only one of the two is installed.
    const missing = process.platform === 'darwin' ? 'linux-arm64' : 'darwin-arm64'
    const [platform, arch] = missing.split('-') as [string, string]
    expect(() => findProgram('/nowhere', { platform, arch })).toThrow(`Install its package @dynoxide/${missing} with npm ci, put dynoxide`)
  })

  it('a DynamoDB engine that cannot start says why', async () => {
    const start = startDynamodb({ file: join(directory(), 'missing', 'dynamodb'), environment: { PATH }, log })
    await expect(start).rejects.toThrow(StartFailure)
    await expect(start).rejects.toThrow(/unable to open database file/)
  })
})
