import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SECOND } from '#shared/platform/values/durations.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import type { TableLimits } from './limits/key-loads.ts'
import { type LimitedEngine, startLimitedEngine } from './limits/limited-engine.ts'
import { startLimits } from './limits/start-limits.ts'

const START = Date.parse('2026-11-20T17:00:00Z')
const TableName = 'leads'

let engine: Engine
let clock = START
const opened: (() => unknown)[] = []
beforeAll(async () => {
  engine = await startEngine()
})
afterAll(() => engine.stop())
beforeEach(() => {
  // Each test has a second of its own.
  clock += 10 * SECOND
})
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

const start = async (limits: Partial<TableLimits> = {}): Promise<{ limited: LimitedEngine; table: DynamoDBDocumentClient }> => {
  const limited = await startLimitedEngine(() => engine.url, { isCold: false, ...limits, now: () => clock })
  const client = new DynamoDBClient({ endpoint: limited.url, maxAttempts: 1 })
  opened.push(limited.stop, () => client.destroy())
  return { limited, table: DynamoDBDocumentClient.from(client) }
}

const itemOf = (pk: string, place: { readonly due?: string; readonly at?: number | string }) => ({
  ...{ pk, sk: 'ITEM' },
  ...(place.due !== undefined && { due_key: place.due, due_at: `${place.at ?? 0}` }),
})
const put = (item: Record<string, unknown>) => new PutCommand({ TableName, Item: item })

const loadsOf = ({ loads }: LimitedEngine) => Object.fromEntries(loads.peaks().map(({ partition, units }) => [partition, units]))
/** Peaks below a hundredth of the limit are not kept, so each step is repeated this often. */
const OFTEN = 10
const often = async (step: (count: number) => Promise<unknown>, times = OFTEN): Promise<void> => {
  for (let count = 0; count < times; count++) await step(count)
}

describe('the limits of the table', () => {
  it('the simulated limits charge a write to its partition, and to those of the indexes that it leaves and enters', async () => {
    const { limited, table } = await start()
    await often((count) => table.send(put(itemOf('A', { due: count % 2 === 0 ? 'X' : 'Y' }))), 20)
    expect(loadsOf(limited)).toEqual({ A: 20, 'by_due X': 20, 'by_due Y': 19 })
  })

  it('the simulated limits charge each item of a transaction twice, and its index once', async () => {
    const { limited, table } = await start()
    await often((count) => {
      const Update = {
        TableName,
        Key: { pk: 'B', sk: 'ITEM' },
        UpdateExpression: 'SET due_key = :key, due_at = :at REMOVE failure',
        ExpressionAttributeValues: { ':key': 'Z', ':at': `${count}` },
      }
      return table.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item: itemOf('C', {}) } }, { Update }] }))
    })
    expect(loadsOf(limited)).toEqual({ B: 20, C: 20, 'by_due Z': 19 })
  })

  it('the simulated limits charge a read to the partition of the table or of the index that it asks for, and throttle it there', async () => {
    const { limited, table } = await start({ partition: { read: 5 } })
    await table.send(put({ ...itemOf('D', { due: 'W' }), text: 'x'.repeat(40_000) }))
    const get = () => table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [{ pk: 'D', sk: 'ITEM' }] } } }))
    const query = () =>
      table.send(
        new QueryCommand({
          TableName,
          IndexName: 'by_due',
          KeyConditionExpression: 'due_key = :key',
          ExpressionAttributeValues: { ':key': 'W' },
        }),
      )
    await get()
    await often(query)
    for (const read of [get, query, query]) await expect(read()).rejects.toThrow(ProvisionedThroughputExceededException)
    expect([...limited.loads.throttled]).toEqual([
      ['D', 1],
      ['by_due W', 2],
    ])
    const reads = limited.loads.peaks().filter(({ kind }) => kind === 'read')
    expect(reads.map(({ partition, units }) => [partition, units])).toEqual([
      ['D', 5],
      ['by_due W', 5],
    ])
  })

  it('the simulated limits charge a write that its condition refuses, and each item of a refused transaction twice', async () => {
    const { limited, table } = await start()
    const Put = { TableName, Item: itemOf('K', {}), ConditionExpression: 'attribute_exists(pk)' }
    await often(() => expect(table.send(new PutCommand(Put))).rejects.toThrow(ConditionalCheckFailedException))
    expect(loadsOf(limited)).toEqual({ K: 10 })
    const TransactItems = [{ Put }, { Put: { TableName, Item: itemOf('L', {}) } }]
    await often(() => expect(table.send(new TransactWriteCommand({ TransactItems }))).rejects.toThrow(TransactionCanceledException))
    expect(loadsOf(limited)).toEqual({ K: 20, L: 20 })
  })

  it('the simulated limits throttle a partition with a thousand written units in a second, and no other one', async () => {
    const { limited, table } = await start()
    const Item = { ...itemOf('E', {}), text: 'x'.repeat(99 * 1024) }
    await often(() => table.send(put(Item)))
    await expect(table.send(put(Item))).rejects.toThrow(ProvisionedThroughputExceededException)
    await table.send(put(itemOf('F', {})))
    expect([...limited.loads.throttled]).toEqual([['E', 1]])
    clock += SECOND
    await table.send(put(Item))
  })

  it('the simulated limits throttle a write to another item when the partition of an index is full', async () => {
    const { table } = await start()
    const write = (pk: number, due: string) => table.send(put(itemOf(`G${pk}`, { due, at: pk })))
    for (let pk = 0; pk < 1000; pk++) await write(pk, 'V')
    await expect(write(1001, 'V')).rejects.toThrow('by_due V')
    await write(1001, 'U')
  })

  it('the simulated limits throttle a new table as a whole, and permit the double of its highest load later', async () => {
    const { table } = await start({ isCold: true })
    const fill = async (writes: number) => {
      let done = 0
      for (; done < writes; done++) {
        const Item = { ...itemOf(`H${done}`, {}), text: 'x'.repeat(399 * 1024) }
        const isThrottled = await table.send(put(Item)).then(
          () => false,
          () => true,
        )
        if (isThrottled) break
      }
      return done
    }
    expect(await fill(20)).toBe(10)
    clock += SECOND
    expect(await fill(30)).toBe(20)
  })

  it('the simulated limits agree with the units that the engine counts, whatever is written', async () => {
    const { limited, table } = await start()
    const write = fc.record({
      pk: fc.constantFrom('I', 'J'),
      due: fc.constantFrom(undefined, 'S', 'T'),
      at: fc.integer({ min: 0, max: 2 }).map(String),
      how: fc.constantFrom('put', 'update', 'transaction', 'delete'),
      kilobytes: fc.integer({ min: 0, max: 5 }),
    })
    const commandOf = ({ how, pk, due, at, kilobytes }: typeof write extends fc.Arbitrary<infer W> ? W : never) => {
      const item = { ...itemOf(pk, { at, ...(due && { due }) }), text: 'x'.repeat(1024 * kilobytes) }
      const UpdateExpression = due ? 'SET #key = :key, due_at = :at' : 'REMOVE #key'
      const Update = {
        ...{ TableName, Key: { pk, sk: 'ITEM' }, UpdateExpression, ExpressionAttributeNames: { '#key': 'due_key' } },
        ...(due && { ExpressionAttributeValues: { ':key': due, ':at': at } }),
      }
      if (how === 'put') return put(item)
      if (how === 'update') return new UpdateCommand(Update)
      if (how === 'delete') return new DeleteCommand({ TableName, Key: { pk, sk: 'ITEM' } })
      return new TransactWriteCommand({ TransactItems: [{ Update }, { Put: { TableName, Item: { ...item, sk: 'OTHER' } } }] })
    }
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
        for (const one of writes) {
          const before = limited.loads.units.write
          const { ConsumedCapacity } = await table.send(commandOf(one) as PutCommand)
          const counted = [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
          expect(limited.loads.units.write - before).toBe(counted)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('the limits in front of a simulation', () => {
  const HOT = 'hottest key, write: A'

  it.each([
    ['fits its limit', undefined, []],
    ['takes more than half of a planted small limit', { write: 30 }, [`${HOT}: 67 % of its limit, at most 50`]],
  ])('a simulation prints its hottest key, which %s', async (_, partition, faults) => {
    const limits = await startLimits({ now: () => clock, ...(partition && { partition }) })
    const world = await startEngine()
    const client = new DynamoDBClient({ endpoint: world.url, maxAttempts: 1 })
    opened.push(limits.stop, () => client.destroy())
    await often(() => DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName: world.tableName, Item: itemOf('A', {}) })), 20)
    const lines: string[] = []
    expect(limits.report((line) => lines.push(line))).toEqual(faults)
    expect(lines).toEqual([HOT, 'runs without limits', 'requests that were throttled'].map((text) => expect.stringContaining(text)))
    expect(lines[0]?.includes('BROKEN: at most 50')).toBe(faults.length > 0)
    limits.begin()
    expect(limits.seen()).toEqual({ peaks: [], throttled: 0, units: 0 })
    // A run whose requests did not pass the limits proves nothing.
    expect(limits.report(() => {})).toEqual(['runs without limits: 1 runs, at most 0'])
  })

  it('the engine behind the limits has its items again after a crash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'limits-'))
    const limits = await startLimits({ file: join(folder, 'table') })
    opened.push(limits.stop, () => rm(folder, { recursive: true, force: true }))
    const world = await startEngine()
    const client = new DynamoDBClient({ endpoint: world.url, maxAttempts: 1 })
    opened.push(() => client.destroy())
    const table = DynamoDBDocumentClient.from(client)
    await table.send(new PutCommand({ TableName: world.tableName, Item: itemOf('A', {}) }))
    await limits.crash()
    const { Item } = await table.send(new GetCommand({ TableName: world.tableName, Key: { pk: 'A', sk: 'ITEM' } }))
    expect(Item).toEqual(itemOf('A', {}))
  })
})
