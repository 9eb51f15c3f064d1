import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { types } from 'node:util'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { realNow } from '../clock.ts'
import { TableBusyError } from '../transient-errors.ts'
import { SECOND } from '../values/durations.ts'
import type { Instant } from '../values/values.ts'

const NAMES = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded'])
/** Reasons for a cancelled transaction. */
const REASONS = new Set(['ThrottlingError', 'ProvisionedThroughputExceeded'])
const PASSING = new Set([...REASONS, 'TransactionConflict', 'None'])

/**
 * Whether the table refused a request only because it takes no more at the moment. A failed condition is an answer, whatever else failed.
 */
const isBusy = (error: unknown): boolean => {
  if (!(error instanceof TransactionCanceledException)) return types.isNativeError(error) && NAMES.has(error.name)
  const codes = error.CancellationReasons?.map(({ Code = 'None' }) => Code) ?? []
  return codes.some((code) => REASONS.has(code)) && codes.every((code) => PASSING.has(code))
}

/** The owner for whom work is done. */
type Owner = number | undefined

const owners = new AsyncLocalStorage<number>()

/** Does work for an owner. When the table is too busy for the work of one owner alone, it may be only a key of this owner that is busy. */
export const forOwner = <T>(owner: number, run: () => T): T => owners.run(owner, run)

/** Undefined: the work is done for nobody, or for everybody. */
export const ownerAtWork = (): Owner => owners.getStore()

/** When the table was last too busy for a request of this process, by the machine's clock, and for whose work. */
export const lastBusy: { owner: Owner; at: Instant } = { owner: undefined, at: 0 }

const listeners: ((owner: Owner, at: Instant) => void)[] = []

/**
 * Calls `listener` each time that the table was too busy for a request, also for a retry by the SDK. `owner`: the only owner whose requests
 * met this within the last second. Undefined: requests of others met it too, or requests without an owner.
 */
export const whenBusy = (listener: (owner: Owner, at: Instant) => void): void => void listeners.push(listener)

export const noteBusyAnswer = (): void => {
  const [owner, at] = [ownerAtWork(), realNow()]
  const isAlone = owner === lastBusy.owner || at - lastBusy.at >= SECOND
  Object.assign(lastBusy, { owner, at })
  for (const listener of listeners) listener(isAlone ? owner : undefined, at)
}

/**
 * Notes the answers of a busy table, and has the SDK retry cancelled transactions like all other requests. After the last retry, throws
 * TableBusyError.
 */
export const noticingBusy = (client: DynamoDBDocumentClient): DynamoDBDocumentClient => {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        if (isBusy(error)) throw new TableBusyError('The table is too busy for this request.', { cause: error })
        throw error
      }
    },
    { step: 'initialize', priority: 'high', name: 'busyError' },
  )
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        if (types.isNativeError(error) && isBusy(error)) {
          noteBusyAnswer()
          Object.assign(error, { $retryable: { throttling: true } })
        }
        throw error
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'busyNotes' },
  )
  return client
}

/** Milliseconds, multiplied by a random part. */
const PAUSE = 2 * SECOND
/** For calls and their reports, which come before all other work. */
export const SHORT_PAUSE = SECOND / 2

/**
 * Handles a thing. While the table is too busy for it, waits and handles it again.
 * @param giveUpAt by the machine's clock
 * @param most milliseconds, multiplied by a random part before each retry
 * @throws TableBusyError when the time is up
 */
export const onceNotBusy = async <T>(giveUpAt: number, handle: (isAgain: boolean) => Promise<T>, most = PAUSE): Promise<T> => {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await handle(isAgain)
    } catch (error) {
      const pause = most * Math.random()
      if (!(error instanceof TableBusyError) || realNow() + pause > giveUpAt) throw error
      await sleep(pause)
    }
  }
}
