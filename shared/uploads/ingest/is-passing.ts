import { types } from 'node:util'
import * as v from 'valibot'
import { isRefusedItem } from '../../platform/table/refused-item.ts'
import { TransientError } from '../../platform/transient-errors.ts'
import { ServiceError } from '../../platform/values/errors.ts'

const Coded = v.object({ code: v.string() })

/** Codes of the operating system and its name service, and Node's codes for connections. All other ERR_* codes are faults of code. */
const OF_SYSTEM = /^(E[A-Z0-9]+|EAI_[A-Z]+|ERR_STREAM_PREMATURE_CLOSE|ERR_(HTTP2|SSL|TLS)_.+)$/

/** Names of SDK errors without an answer: the request was never sent, or timed out. */
const OF_SDK = ['TimeoutError', 'AbortError', 'CredentialsProviderError']

/**
 * Whether an error is transient, and not the fault of the row: a lost race, a timeout, or a failed service or connection. Unknown errors
 * count as permanent. A permanent error rejects its row, but a transient one makes all rows wait.
 */
export const isPassing = (error: unknown): boolean => {
  if (error instanceof ServiceError) return error.code === 'unavailable'
  if (error instanceof TransientError) return true
  if (!types.isNativeError(error) || isRefusedItem(error)) return false
  const code = v.is(Coded, error) ? error.code : ''
  if (OF_SYSTEM.test(code)) return true
  if (code.startsWith('ERR_')) return false
  if ('$metadata' in error || OF_SDK.includes(error.name)) return true
  return error.cause !== undefined && isPassing(error.cause)
}
