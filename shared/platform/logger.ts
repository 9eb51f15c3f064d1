import { types } from 'node:util'
import { Logger } from '@aws-lambda-powertools/logger'
import * as v from 'valibot'
import { masked } from './values/masked.ts'

/** Structured lines: ids only, never a phone number, an email, a key or a payload. What others' texts hold of these is masked. */
export const logger = new Logger({
  serviceName: 'lead-outreach',
  jsonReplacerFn: (_, value) => (typeof value === 'string' ? masked(value) : value),
})

/** What did not fit a schema stands in its error's message. */
const tellable = (error: Error): string => (v.isValiError(error) ? 'Unexpected shape.' : error.message)

/** Without the message, which stands before them. */
const framesOf = ({ stack = '' }: Error): string => {
  const start = stack.indexOf('\n    at ')
  return start < 0 ? '' : stack.slice(start)
}

/**
 * What a log may tell of an error: its name, its message, where it was thrown. Never the values that did not fit a schema, nor
 * what an error carries beside: they may be anybody's data.
 */
export const loggable = (error: unknown): Record<string, unknown> => {
  if (!types.isNativeError(error)) return { name: 'NotAnError', type: typeof error }
  const { name, cause } = error
  return {
    name,
    message: tellable(error),
    ...(v.isValiError(error) && { paths: error.issues.map((issue) => v.getDotPath(issue)) }),
    stack: framesOf(error),
    ...(cause !== undefined && { cause: loggable(cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(loggable) }),
  }
}

/** An error for the runtime, which prints all that an error carries: this one carries a name and a message that a log may tell. */
export const printable = (error: unknown): Error =>
  types.isNativeError(error)
    ? Object.assign(new Error(masked(tellable(error))), { name: error.name })
    : new Error('Not an error was thrown.')
