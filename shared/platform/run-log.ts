import type { Context } from 'aws-lambda'
import { setting } from './environment.ts'
import { loggable, logger, printable } from './logger.ts'
import { flushMetrics } from './metrics.ts'
import { consumedUnits, unitsSince } from './table/consumed-units.ts'
import { returnDatetimesIn } from './values/time.ts'

/** The records of one event. */
interface Parts<T> {
  readonly records: number
  /** Number of records that failed although the run did not. */
  readonly failed: (result: T) => number
}

/**
 * Logs a run that no client waits for in one line: its records, duration and consumed units. Every log line of the run holds function and
 * request. @throws the error of `work`, reduced to what its log line says
 */
export const logRun = async <T>(
  { functionName, awsRequestId }: Partial<Context> = {},
  work: () => Promise<T>,
  parts?: Parts<T>,
): Promise<T> => {
  returnDatetimesIn(setting('OUTPUT_TIMEZONE'))
  logger.resetKeys()
  logger.appendKeys({ function: functionName, request_id: awsRequestId })
  const began = performance.now()
  const before = { ...consumedUnits }
  const logEnd = (failed?: number): void =>
    logger.info('run', {
      ...(parts && { records: parts.records, failed }),
      milliseconds: Math.round(performance.now() - began),
      ...unitsSince(before),
    })
  try {
    const result = await work()
    logEnd(parts?.failed(result))
    return result
  } catch (error) {
    logger.error('The run failed.', { error: loggable(error) })
    logEnd(parts?.records)
    throw printable(error)
  } finally {
    flushMetrics()
  }
}
