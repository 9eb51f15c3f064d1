import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import type { client as tableClient } from '#shared/platform/table/client.ts'
import { type Engine, startEngine } from '#test/support/engine.ts'
import { chanceFrom } from './lateness/chance.ts'
import { type EngineLine, openEngineLine } from './lateness/engine-line.ts'
import { startVirtualTime, type VirtualTime } from './lateness/virtual-time.ts'
import { newKeyLoads } from './limits/key-loads.ts'
import { limitClient } from './limits/limit-client.ts'

const START = 1_000_000
const Text = v.object({ text: v.string() })

describe('virtual time', () => {
  let time: VirtualTime
  let restore: () => void
  let seen: string[]

  beforeEach(() => {
    ;({ time, restore } = startVirtualTime(START, chanceFrom(1).next))
    seen = []
  })
  afterEach(() => restore())

  const note = (name: string) => (): void => {
    seen.push(`${time.now() - START} ${name}`)
  }

  it('the virtual clock goes on while real work is under way, and gives its result at the instant that was asked for', async () => {
    let finish: (result: string) => void = () => undefined
    const work = (sent: () => void) => {
      sent()
      return new Promise<string>((resolve) => {
        finish = resolve
      })
    }
    void time.ahead(10, work).then((result) => note(result)())
    time.at(START + 5, () => {
      note('meanwhile')()
      finish('answer')
    })
    time.at(START + 10, note('next'))
    await time.run(START + 20)
    expect(seen).toEqual(['5 meanwhile', '10 answer', '10 next'])
  })

  it('the virtual clock waits for work that is not done at the instant of its result', async () => {
    const work = (sent: () => void) => {
      sent()
      return new Promise<string>((resolve) => time.at(START + 10, () => setImmediate(() => setImmediate(() => resolve('late')))))
    }
    void time.ahead(10, work).then((result) => note(result)())
    time.at(START + 11, note('next'))
    await time.run(START + 20)
    expect(seen).toEqual(['10 late', '11 next'])
  })

  it('the virtual clock stands still until work is sent, and shows a failure at the instant of the result', async () => {
    const work = async (): Promise<string> => {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      note('done')()
      throw new Error('refused')
    }
    void time.ahead(10, work).catch(({ message }) => note(message)())
    time.at(START + 5, note('meanwhile'))
    await time.run(START + 20)
    expect(seen).toEqual(['0 done', '5 meanwhile', '10 refused'])
  })
})

describe('the line to the engine', () => {
  const itemOf = (pk: string, text: string) => ({ pk, sk: 'ITEM', text })
  let engine: Engine
  let line: EngineLine
  let client: typeof tableClient
  let table: typeof import('#shared/platform/table/table.ts')

  beforeAll(async () => {
    engine = await startEngine()
    ;[line, { client }, table] = await Promise.all([
      openEngineLine(engine.url),
      import('#shared/platform/table/client.ts'),
      import('#shared/platform/table/table.ts'),
    ])
    line.carry(client)
    // The first request of a client takes longer on its way.
    await table.putItem(itemOf('FIRST', ''))
  })
  afterAll(async () => {
    line.close()
    await engine.stop()
  })

  it('the engine handles requests in the order in which they are sent, though none waits for an answer', async () => {
    const numbers = Array.from({ length: 200 }, (_, number) => number)
    const read = await Promise.all(
      numbers.map(async (number) => {
        const written = table.putItem(itemOf('ORDER', `${number}`))
        const [{ items }] = await Promise.all([
          table.query(Text, { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'ORDER' }, ConsistentRead: true }),
          written,
        ])
        return items
      }),
    )
    expect(read).toEqual(numbers.map((number) => [{ text: `${number}` }]))
  })

  it('an item of many kilobytes arrives as a whole', async () => {
    const long = 'ä'.repeat(190_000)
    await table.putItem(itemOf('LONG', long))
    expect(await table.getItem(Text, { pk: 'LONG', sk: 'ITEM' })).toEqual({ text: long })
  })

  it('the simulated limits throttle after as many units as they permit, though no request waits for an answer', async () => {
    const [permitted, asked] = [30, 40]
    const loads = newKeyLoads({ isCold: false, partition: { write: permitted } })
    limitClient({ clients: [client], loads, now: () => START, sleep: async () => undefined }).begin()
    const outcomes = await Promise.allSettled(Array.from({ length: asked }, (_, number) => table.putItem(itemOf('HOT', `${number}`))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(permitted)
    expect(loads.units.write).toBe(permitted)
  })
})
