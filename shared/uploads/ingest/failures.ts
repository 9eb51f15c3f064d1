import { types } from 'node:util'
import * as v from 'valibot'
import { isRefusedItem } from '../../platform/table/transactions.ts'
import { TransientError } from '../../platform/transient-errors.ts'
import { HOUR } from '../../platform/values/durations.ts'
import { ServiceError } from '../../platform/values/errors.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Upload } from '../upload.ts'

export const REASON_IN_LOG = "for a reason that the operator finds in the service's log."

/** Milliseconds. After transient errors, work without progress is retried for this long: services are down for hours at times. */
export const MOST_TIME_FAILING = 24 * HOUR

/**
 * Whether work on an upload without progress must stop. It stops after more than `most` attempts with permanent errors. After transient
 * errors it stops only after MOST_TIME_FAILING and more than `most` attempts. Time alone does not count: while the service itself is down,
 * nothing is tried.
 */
export const hasFailedForGood = ({ tries, passing, failing_since }: Upload, most: number, at: Instant): boolean =>
  tries - passing > most || (tries > most && failing_since !== null && failing_since + MOST_TIME_FAILING <= at)

const Coded = v.object({ code: v.string() })

/** Codes of the operating system and its name service, and Node's codes for connections. All other ERR_* codes are faults of code. */
const OF_SYSTEM = /^(E[A-Z0-9]+|EAI_[A-Z]+|ERR_STREAM_PREMATURE_CLOSE|ERR_(HTTP2|SSL|TLS)_.+)$/

/** Names of SDK errors without an answer: the request was never sent, or timed out. */
const OF_SDK = ['TimeoutError', 'AbortError', 'CredentialsProviderError']

/**
 * Whether an error is transient, and not the fault of the row: a lost race, a timeout, or a failed service or connection. Unknown errors
 * count as permanent. A permanent error rejects its row, but a transient one makes all rows wait.
 */
export const isTransient = (error: unknown): boolean => {
  if (error instanceof ServiceError) return error.code === 'unavailable'
  if (error instanceof TransientError) return true
  if (!types.isNativeError(error) || isRefusedItem(error)) return false
  const code = v.is(Coded, error) ? error.code : ''
  if (OF_SYSTEM.test(code)) return true
  if (code.startsWith('ERR_')) return false
  if ('$metadata' in error || OF_SDK.includes(error.name)) return true
  return error.cause !== undefined && isTransient(error.cause)
}
