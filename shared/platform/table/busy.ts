import { setTimeout as sleep } from 'node:timers/promises'
import { types } from 'node:util'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { realNow } from '../clock.ts'
import { TableBusyError } from '../transient-errors.ts'
import { SECOND } from '../values/durations.ts'

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

/** How often the table was too busy for a request of this process, and when last, by the machine's clock. Each retry by the SDK counts. */
export const busyAnswers = { count: 0, at: 0 }

export const noteBusyAnswer = (): void => {
  busyAnswers.count++
  busyAnswers.at = realNow()
}

/**
 * Counts the answers of a busy table, and has the SDK retry cancelled transactions like all other requests. After the last retry, throws
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
    { step: 'finalizeRequest', priority: 'low', name: 'busyCounter' },
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
