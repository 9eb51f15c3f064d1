import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import * as v from 'valibot'
import type { client as tableClient } from '#shared/platform/table/client.ts'
import { type Asked, askedOf, limitedTable, type UnitCounter } from './limited-table.ts'
import { AnyRequest } from './table-request.ts'

/** Not an error of the SDK, which would retry by the machine's clock. */
class Throttled extends Error {}

/** As the table's client retries a throttled request. Milliseconds. */
const TRIES = 3
const PAUSE = 500

/** Charges requests in the order in which they were sent, whatever the order of their answers. */
const inOrder = () => {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  return {
    /** Whether some requests have no answer yet. */
    isWaiting: (): boolean => count > 0,
    settled: (): Promise<unknown> => last,
    /** Gives the answer after `charge`, which is called for each request in turn. */
    charged: async <T>(answer: Promise<T>, charge: (outcome: PromiseSettledResult<T>) => void): Promise<T> => {
      count++
      const [before, outcome] = [last, Promise.allSettled([answer])]
      const own = (async () => {
        await before
        const [settled] = await outcome
        count--
        charge(settled)
      })()
      last = own
      await own
      return answer
    },
  }
}

interface LimitClientOptions {
  readonly clients: readonly (typeof tableClient)[]
  readonly loads: UnitCounter
  readonly now: () => number
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

interface LimitedClient {
  /** From here on, requests count and are throttled. Earlier ones only fill the table. */
  begin(): void
}

/** Throttles the requests of table clients, as DynamoDB would. Call it before anything is written. */
export const limitClient = ({ clients, loads, now, sleep }: LimitClientOptions): LimitedClient => {
  const table = limitedTable(loads)
  const charges = inOrder()
  let hasBegun = false
  let turn: Promise<unknown> | undefined
  /** Waits for earlier answers when these may decide whether the request is throttled. Then later requests wait for it. */
  const whenKnown = async (request: Asked): Promise<void> => {
    while (turn) await turn
    if (!charges.isWaiting() || !table.isClose(request, now())) return
    turn = charges.settled()
    await turn
    turn = undefined
  }

  for (const client of clients) {
    client.middlewareStack.add(
      (next) => async (args) => {
        for (let left = TRIES - 1; ; left--) {
          try {
            return await next(args)
          } catch (error) {
            if (!(error instanceof Throttled)) throw error
            if (left === 0) throw new ProvisionedThroughputExceededException({ $metadata: {}, message: error.message })
            await sleep(PAUSE * 2 ** (TRIES - 1 - left) * Math.random())
          }
        }
      },
      { step: 'initialize', priority: 'high', name: 'retriesOfThrottled' },
    )
    client.middlewareStack.add(
      (next, context) => async (args) => {
        const request = askedOf(`${context['commandName']}`.replace(/Command$/, ''), v.parse(AnyRequest, args.input))
        if (hasBegun) await whenKnown(request)
        const [at, isCounted] = [now(), hasBegun]
        const full = isCounted ? table.throttle(request, at) : undefined
        if (full !== undefined) throw new Throttled(`The simulated limit of ${full} is reached.`)
        return charges.charged(next(args), (outcome) => {
          if (outcome.status === 'rejected') {
            if (outcome.reason instanceof Error) table.refused(request, outcome.reason.name, at)
          } else if (isCounted) table.answered(request, outcome.value.output, at)
          else table.filled(request)
        })
      },
      { step: 'finalizeRequest', priority: 'low', name: 'limits' },
    )
  }
  return {
    begin: () => {
      hasBegun = true
    },
  }
}
