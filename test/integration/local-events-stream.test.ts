import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type DynamodbEngine, startDynamodb } from '#lib/local/engines/dynamodb.ts'
import { createTables } from '#lib/local/engines/tables.ts'
import { crashed, type FakeFunction, fine, noted, startEvents } from '#test/support/event-engines.ts'
import { mappingOf, ruleOf, tableOf } from '#test/support/event-template.ts'
import { eventually } from '#test/support/eventually.ts'

const access = { region: 'us-east-1', credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } }
const directory = mkdtempSync(join(tmpdir(), 'events-'))
let engine: DynamodbEngine
let dynamodb: DynamoDBClient
const stops: (() => unknown)[] = []
let tables = 0

beforeAll(async () => {
  engine = await startDynamodb({ file: undefined, environment: {}, log: () => undefined })
  dynamodb = new DynamoDBClient({ ...access, endpoint: engine.url })
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
afterAll(async () => {
  dynamodb.destroy()
  await engine.stop()
  rmSync(directory, { recursive: true })
})

const newTable = async () => {
  const table = tableOf(`leads-${++tables}`)
  await createTables(engine.url, [table])
  const put = (pk: string, rest = {}) => dynamodb.send(new PutItemCommand({ TableName: table.name, Item: { pk: { S: pk }, ...rest } }))
  return { table, put, checkpointFile: join(directory, `${table.name}.json`) }
}

interface ChangeRecord {
  readonly eventID: string
  readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string } }; readonly SequenceNumber: string }
}
const recordsOf = (event: Parameters<FakeFunction>[0]) => event.Records as unknown as readonly ChangeRecord[]
const keysOf = (event: Parameters<FakeFunction>[0]) => recordsOf(event).map((record) => record.dynamodb.Keys.pk.S)

describe('the reader of a stream', () => {
  const read = async (publish: FakeFunction, rest: Parameters<typeof mappingOf>[2] = {}) => {
    const { table, put } = await newTable()
    const service = await startEvents({
      queues: [{ name: 'failed' }],
      template: ({ failed }) => ({
        tables: [table],
        eventSources: [mappingOf(table.streamArn, 'publish', { onFailureArn: failed!.arn, ...rest })],
      }),
      functions: { publish },
      dynamodb: engine.url,
    })
    stops.push(service.stop)
    return { ...service, put, table }
  }

  it('the reader of a stream passes changes to its function as Lambda does', async () => {
    const events: Parameters<FakeFunction>[0][] = []
    const { put, table } = await read((event) => noted(events, event))
    await put('a', { n: { N: '1' }, b: { B: Buffer.from('hi') } })
    await put('a', { n: { N: '2' } })
    await eventually(() => events.flatMap(keysOf).length === 2)
    expect(events.flatMap((event) => event.Records)).toEqual([
      {
        eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
        eventName: 'INSERT',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'us-east-1',
        eventSourceARN: table.streamArn,
        dynamodb: {
          ApproximateCreationDateTime: expect.any(Number),
          Keys: { pk: { S: 'a' } },
          NewImage: { pk: { S: 'a' }, n: { N: '1' }, b: { B: 'aGk=' } },
          SequenceNumber: '1',
          SizeBytes: expect.any(Number),
          StreamViewType: 'NEW_AND_OLD_IMAGES',
        },
      },
      expect.objectContaining({
        eventName: 'MODIFY',
        dynamodb: expect.objectContaining({
          OldImage: { pk: { S: 'a' }, n: { N: '1' }, b: { B: 'aGk=' } },
          NewImage: { pk: { S: 'a' }, n: { N: '2' } },
        }),
      }),
    ])
  })

  it('the reader of a stream keeps the order through crashes and partial failures, and loses nothing', async () => {
    const dealtWith: string[] = []
    let runs = 0
    const { put } = await read(
      (event) => {
        runs += 1
        if (runs % 3 === 1) return crashed
        const half = Math.ceil(event.Records.length / 2)
        dealtWith.push(...keysOf(event).slice(0, half))
        const failed = recordsOf(event).slice(half)
        return fine({ batchItemFailures: failed.map((record) => ({ itemIdentifier: record.dynamodb.SequenceNumber })) })
      },
      { batchSize: 7 },
    )
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`)
    for (const key of keys) await put(key)
    await eventually(() => dealtWith.length >= keys.length)
    expect(dealtWith).toEqual(keys)
  })

  it('the reader of a stream sends abandoned records to the failure destination and goes on', async () => {
    const dealtWith: string[] = []
    const { put, take } = await read((event) => (keysOf(event).includes('bad') ? crashed : noted(dealtWith, ...keysOf(event))), {
      maxRetries: 1,
      bisectOnError: true,
    })
    for (const key of ['a', 'bad', 'b']) await put(key)
    await eventually(() => dealtWith.includes('b'))
    expect(dealtWith).toEqual(['a', 'b'])
    expect(await take('failed')).toMatchObject([{ DDBStreamBatchInfo: { startSequenceNumber: '2', endSequenceNumber: '2', batchSize: 1 } }])
  })

  it('the reader of a stream gives records of different tables different ids', async () => {
    const ids: string[] = []
    for (let round = 0; round < 2; round++) {
      const { put } = await read((event) => noted(ids, ...recordsOf(event).map((record) => record.eventID)))
      await put('a')
      await eventually(() => ids.length === round + 1)
    }
    expect(new Set(ids).size).toBe(2)
  })
})

describe('the checkpoint', () => {
  const prepare = async () => {
    const { table, put, checkpointFile } = await newTable()
    /** One life of the whole service: its queues end with it. `match` deals with the events that reach their queue. */
    const live = async (match: FakeFunction) => {
      const published: string[] = []
      const service = await startEvents({
        queues: [{ name: 'dead' }, { name: 'events', attributes: { VisibilityTimeout: '2' } }],
        template: ({ events }) => ({
          tables: [table],
          rules: [ruleOf({ pattern: { source: ['lead-outreach'] }, targetArn: events!.arn })],
          eventSources: [mappingOf(table.streamArn, 'publish'), mappingOf(events!.arn, 'match', { batchSize: 1 })],
        }),
        functions: {
          publish: async (event) => {
            for (const key of keysOf(event)) {
              const entry = { EventBusName: 'events', Source: 'lead-outreach', DetailType: 'CREATED', Detail: JSON.stringify({ key }) }
              await client.send(new PutEventsCommand({ Entries: [entry] }))
              published.push(key)
            }
            return fine()
          },
          match: (event) => match(event),
        },
        sources: { checkpointFile },
        dynamodb: engine.url,
      })
      const client = new EventBridgeClient({ ...access, endpoint: service.bridge.url })
      let stopped: Promise<void> | undefined
      const stop = () => {
        stopped ??= service.stop().then(() => client.destroy())
        return stopped
      }
      stops.push(stop)
      return { published, log: service.log, stop }
    }
    return { put, live, checkpointFile }
  }
  const keyIn = (event: Parameters<FakeFunction>[0]): string => JSON.parse(String(event.Records[0]?.['body'])).detail.key
  const position = (file: string): string | undefined => {
    try {
      return Object.values<string>(JSON.parse(readFileSync(file, 'utf8')).positions)[0]
    } catch {
      return undefined
    }
  }

  it('the checkpoint of a stream passes an event only after it has left the queues, and a restart resumes there', async () => {
    const { put, live, checkpointFile } = await prepare()
    let triesOfB = 0
    const first = await live((event) => {
      if (keyIn(event) !== 'b') return fine()
      triesOfB++
      return crashed
    })
    await put('a')
    await eventually(() => position(checkpointFile) === '1')
    await put('b')
    await put('c')
    await eventually(() => first.published.length === 3 && triesOfB > 1)
    expect(position(checkpointFile)).toBe('1')
    await first.stop()

    const second = await live(() => fine())
    await eventually(() => second.published.length === 2)
    expect(second.published).toEqual(['b', 'c'])
    await eventually(() => position(checkpointFile) === '3')
    await second.stop()

    const third = await live(() => fine())
    await put('d')
    await eventually(() => third.published.length > 0)
    expect(third.published).toEqual(['d'])
  })

  it('a checkpoint that cannot be read restarts the stream from its beginning', async () => {
    const { put, live, checkpointFile } = await prepare()
    writeFileSync(checkpointFile, '{"positions"')
    await put('a')
    const { published, log } = await live(() => fine())
    await eventually(() => published.length === 1)
    expect(log[0]).toContain('is not a checkpoint')
  })

  it('a checkpoint of another table is ignored', async () => {
    const { put, live, checkpointFile } = await prepare()
    writeFileSync(checkpointFile, JSON.stringify({ positions: { 'publish arn:of:another/stream shardId-00000001-leads': '900' } }))
    await put('a')
    const { published } = await live(() => fine())
    await eventually(() => published.length === 1)
  })
})
