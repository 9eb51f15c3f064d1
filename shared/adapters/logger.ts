import { types } from 'node:util'
import { Logger } from '@aws-lambda-powertools/logger'
import * as v from 'valibot'

/** Structured lines: ids only, never a phone number, an email, a key or a payload. */
export const logger = new Logger({ serviceName: 'lead-outreach' })

/**
 * What a log may tell of an error: its name, its message, where it was thrown. Never the values that did not fit a schema, nor
 * what an error carries beside: they may be anybody's data.
 */
export const loggable = (error: unknown): Record<string, unknown> => {
  if (!types.isNativeError(error)) return { name: 'NotAnError', type: typeof error }
  const { name, message, stack = '', cause } = error
  const frames = stack.slice(Math.max(0, stack.indexOf('\n    at ')))
  if (v.isValiError(error)) {
    return { name, message: 'Unexpected shape.', paths: error.issues.map((issue) => v.getDotPath(issue)), stack: frames }
  }
  return { name, message, stack: frames, ...(cause !== undefined && { cause: loggable(cause) }) }
}
