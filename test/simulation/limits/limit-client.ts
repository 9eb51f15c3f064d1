import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import * as v from 'valibot'
import type { client as tableClient } from '#shared/platform/table/client.ts'
import type { Kind } from './key-loads.ts'
import { type Asked, askedOf, limitedTable, type Touched, type UnitCounter } from './limited-table.ts'
import { AnyRequest } from './table-request.ts'

/** Not an error of the SDK, which would retry by the machine's clock. The service counts each of them by this name. */
class Throttled extends Error {
  override readonly name = 'ProvisionedThroughputExceededException'
}

/** As the table's client retries a throttled request. Milliseconds. */
const TRIES = 3
const PAUSE = 500

/** Charges requests in the order in which they were sent, whatever the order of their answers. */
const inOrder = () => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    /** Resolves when all requests so far are charged. */
    settled: (): Promise<unknown> => last,
    /** Gives the answer after `charge`, which is called for each request in turn. */
    charged: async <T>(answer: Promise<T>, charge: (outcome: PromiseSettledResult<T>) => void): Promise<T> => {
      const [before, outcome] = [last, Promise.allSettled([answer])]
      const own = (async () => {
        await before
        const [settled] = await outcome
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
  /** Requests that may be sent and are not yet charged: all of them, and those for each partition. */
  let opened = 0
  const open: Record<Kind, Map<string, number>> = { read: new Map(), write: new Map() }
  const setOpen = ({ kind, partitions }: Touched, by: 1 | -1): void => {
    opened += by
    for (const partition of partitions) {
      const count = (open[kind].get(partition) ?? 0) + by
      if (count > 0) open[kind].set(partition, count)
      else open[kind].delete(partition)
    }
  }
  const isCertain = ({ kind, partitions }: Touched): boolean =>
    opened === 0 || !loads.isClose(kind, partitions, now(), (partition) => open[kind].get(partition) ?? 0)

  /**
   * Throttles a request, or opens it. Waits for earlier answers when these may decide which. Meanwhile later requests wait for this one, so
   * that all requests keep their order.
   */
  const admit = async (asked: Asked): Promise<Touched> => {
    for (;;) {
      while (turn) await turn
      const touched = table.touched(asked)
      if (isCertain(touched)) {
        const full = table.throttle(touched, now())
        if (full !== undefined) throw new Throttled(`The simulated limit of ${full} is reached.`)
        setOpen(touched, 1)
        return touched
      }
      turn = charges.settled()
      await turn
      turn = undefined
    }
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
        const asked = askedOf(`${context['commandName']}`.replace(/Command$/, ''), v.parse(AnyRequest, args.input))
        const touched = hasBegun ? await admit(asked) : undefined
        const at = now()
        return charges.charged(next(args), (outcome) => {
          if (touched) setOpen(touched, -1)
          if (outcome.status === 'rejected') {
            if (outcome.reason instanceof Error) table.refused(asked, outcome.reason.name, at)
          } else if (touched) table.answered(asked, outcome.value.output, at)
          else table.filled(asked)
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
