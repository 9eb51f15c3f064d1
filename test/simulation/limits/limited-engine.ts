import * as v from 'valibot'
import type { Engine } from '#lib/local/engines/engine.ts'
import { type JsonAnswer, type JsonRequest, startJsonServer } from '#lib/local/engines/http-server.ts'
import { type KeyLoads, newKeyLoads, type TableLimits } from './key-loads.ts'
import { askedOf, limitedTable } from './limited-table.ts'
import { AnyRequest, type TableRequest } from './table-request.ts'

/** Operations on items. Streams and tables have operations of other names, or no limits here. */
const OPERATION = /^DynamoDB_20120810\.(\w+)$/

/** The engine checks that a request is signed, but not how. */
const KEPT_HEADERS = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target']

const Failure = v.object({ __type: v.string() })

const throttled = ({ TransactItems }: TableRequest, where: string): JsonAnswer => {
  const message = `The simulated limit of ${where} is reached.`
  const failure = (name: string, more: object = {}) => ({
    status: 400,
    body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...more },
  })
  if (!TransactItems) return failure('ProvisionedThroughputExceededException')
  return failure('TransactionCanceledException', { CancellationReasons: TransactItems.map(() => ({ Code: 'ThrottlingError' })) })
}

export interface LimitedEngine extends Engine {
  readonly loads: KeyLoads
}

interface LimitedEngineOptions extends TableLimits {
  /** Epoch milliseconds. Default: the machine's clock. */
  readonly now?: () => number
}

/**
 * Stands in front of a DynamoDB engine, and throttles as DynamoDB would. All writes to the table must pass it.
 * @param engine gives the engine's URL, which may change
 */
export const startLimitedEngine = async (
  engine: () => string,
  { now = Date.now, ...limits }: LimitedEngineOptions,
): Promise<LimitedEngine> => {
  const loads = newKeyLoads(limits)
  const table = limitedTable(loads)

  const forward = async ({ headers }: JsonRequest, body: unknown): Promise<JsonAnswer> => {
    const kept = new Headers(KEPT_HEADERS.map((name) => [name, `${headers[name]}`]))
    const answer = await fetch(engine(), { method: 'POST', headers: kept, body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }
  const { url, stop } = await startJsonServer(async (incoming) => {
    const [, operation] = OPERATION.exec(incoming.target ?? '') ?? []
    if (operation === undefined) return forward(incoming, incoming.body)
    const request = v.parse(AnyRequest, incoming.body)
    const asked = askedOf(operation, request)
    const full = table.throttle(table.touched(asked), now())
    if (full !== undefined) return throttled(request, full)
    const answer = await forward(incoming, { ...request, ReturnConsumedCapacity: 'TOTAL' })
    if (answer.status === 200) table.answered(asked, answer.body, now())
    else table.refused(asked, v.parse(Failure, answer.body).__type.replace(/^.*#/, ''), now())
    return answer
  })
  return { url, stop, loads }
}
