import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { handler } from '#functions/workers/match-webhooks.ts'
import { now } from '#shared/platform/clock.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { TRIGGERS } from '#shared/platform/values/values.ts'
import { MOST_SUBSCRIPTIONS } from '#shared/webhooks/api/create-subscription.ts'
import { LISTENERS_SEEN_AFTER } from '#shared/webhooks/listeners.ts'
import { MAX_CHARACTERS } from '#shared/webhooks/rules/filter/parse.ts'
import type { Subscription } from '#shared/webhooks/webhook.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { suiteQueues, suiteTable } from '#test/support/suite-world.ts'
import { withAnswers } from '#test/support/table-sends.ts'
import { aLead, anEvent, aSubscription, batchOf } from '#test/support/webhook-fixtures.ts'

const MIB = 1024 * 1024
suiteTable()
suiteQueues(['DELIVERY_QUEUE_URL', 'SLOW_DELIVERY_QUEUE_URL'])
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const bytesUsed = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

let owner = 0
let queries = 0
let tests = 0
/** Nothing that another test left in memory is young. */
beforeEach(() => {
  setClock(Date.now())
  passTime(LISTENERS_SEEN_AFTER * ++tests)
})
afterAll(() => setClock(Date.now()))

/** No subscription asks for it. */
const TRIGGER = 'CALL_DNC'
const trigger = TRIGGERS.filter((one) => one !== TRIGGER)

type FieldsOf = (id: number) => Partial<Subscription>

/** While `run` runs, every owner has so many subscriptions, with these fields. */
const whileSubscribed = (fieldsOf: FieldsOf, run: () => Promise<void>, count = MOST_SUBSCRIPTIONS): Promise<void> => {
  const items = () =>
    Array.from({ length: count }, (_, index) => {
      const id = MOST_SUBSCRIPTIONS * queries + index
      return aSubscription({ id, trigger, ...fieldsOf(id) })
    })
  const answer = (command: unknown) => {
    if (command instanceof GetCommand) return { Item: { version: 1 } }
    queries++
    // As parsed from an answer: no text shares its characters with another one.
    return JSON.parse(JSON.stringify({ Items: items() }))
  }
  return withAnswers(answer, run)
}

/** Matches an event of each owner. Each message has the given number of further characters. */
const matchFor = async (owners: readonly number[], characters = 0): Promise<void> => {
  for (const each of owners) {
    const detail = anEvent({ trigger: TRIGGER, owner: each, lead: aLead({ owner: each }), event_time: now() - SECOND })
    expect(await handler(batchOf([{ detail, rest: ' '.repeat(characters) }]))).toEqual({ batchItemFailures: [] })
  }
}
const newOwners = (count: number): number[] => Array.from({ length: count }, () => ++owner)

/** How much the use of memory grows. */
const growth = async (act: () => Promise<void>): Promise<number> => {
  await matchFor(newOwners(1))
  const before = bytesUsed()
  await act()
  return bytesUsed() - before
}

const longest = (id: number) => ({ filter_condition: `'${'é'.repeat(MAX_CHARACTERS - 20)}𝒙' == ${id}` })

describe('the memory of the webhook matcher', () => {
  it('the webhook matcher holds no headers of subscriptions in memory', async () => {
    await whileSubscribed(
      (id) => ({ headers: `${id}`.padEnd(11_000, 'x') }),
      async () => expect(await growth(() => matchFor(newOwners(30)))).toBeLessThan(10 * MIB),
    )
  })

  it('the webhook matcher holds less than 64 MiB of filter conditions, however many owners have the longest', async () => {
    await whileSubscribed(longest, async () => expect(await growth(() => matchFor(newOwners(200)))).toBeLessThan(64 * MIB))
  })

  it('the webhook matcher drops the subscriptions of idle owners after ten seconds', async () => {
    await whileSubscribed(longest, async () => {
      const bytes = await growth(async () => {
        await matchFor(newOwners(30))
        passTime(LISTENERS_SEEN_AFTER)
        await matchFor(newOwners(1))
      })
      expect(bytes).toBeLessThan(4 * MIB)
    })
  })

  it('the webhook matcher holds no messages in memory after their run', async () => {
    await whileSubscribed(
      () => ({}),
      async () => expect(await growth(() => matchFor(newOwners(30), MIB))).toBeLessThan(10 * MIB),
    )
  })

  it('the webhook matcher reads the subscriptions of 1,000 owners once in a few seconds', async () => {
    await whileSubscribed(
      () => ({}),
      async () => {
        const owners = newOwners(1000)
        await matchFor(owners)
        passTime(3 * SECOND)
        await matchFor(owners)
        const before = queries
        await matchFor(owners)
        expect(queries).toBe(before)
      },
      3,
    )
  })
})
