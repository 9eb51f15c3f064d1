import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb'
import type { client as tableClient } from '#shared/platform/table/client.ts'
import { limitedTable, type UnitCounter } from './limited-table.ts'
import type { TableRequest } from './table-request.ts'

/** Not an error of the SDK, which would retry by the machine's clock. */
class Throttled extends Error {}

/** As the table's client retries a throttled request. Milliseconds. */
const TRIES = 3
const PAUSE = 500

const sent = (request: unknown): { readonly operation: string; readonly body: TableRequest } => {
  const { headers, body } = request as { readonly headers: Record<string, string>; readonly body: Uint8Array }
  return { operation: `${headers['x-amz-target']}`.replace(/^.*\./, ''), body: JSON.parse(new TextDecoder().decode(body)) }
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
  let hasBegun = false

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
      (next) => async (args) => {
        const { operation, body } = sent(args.request)
        const full = hasBegun ? table.throttle(operation, body, now()) : undefined
        if (full !== undefined) throw new Throttled(`The simulated limit of ${full} is reached.`)
        try {
          const result = await next(args)
          if (hasBegun) table.answered(operation, body, result.output, now())
          else table.filled(operation, body)
          return result
        } catch (error) {
          if (error instanceof Error) table.refused(operation, body, error.name, now())
          throw error
        }
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
