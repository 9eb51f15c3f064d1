import { types } from 'node:util'
import * as v from 'valibot'
import { isRefusedItem } from '../../platform/table/refused-item.ts'
import { TransientError } from '../../platform/transient-errors.ts'
import { ServiceError } from '../../platform/values/errors.ts'

const Coded = v.object({ code: v.string() })

/** Codes of the system and of its name service, and those of Node that tell of a connection. All other ERR_* are faults of code. */
const OF_SYSTEM = /^(E[A-Z0-9]+|EAI_[A-Z]+|ERR_STREAM_PREMATURE_CLOSE|ERR_(HTTP2|SSL|TLS)_.+)$/

/** What SDKs throw when they have not come to ask, or waited in vain. */
const OF_SDK = ['TimeoutError', 'AbortError', 'CredentialsProviderError']

/**
 * Whether an error is none of what was handled: somebody else was in the way, time was up, or an engine or the way to it failed. What is
 * not known to pass is a fault: a row that has one is rejected, while one that passes has all others wait.
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
