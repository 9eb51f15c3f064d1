import { types } from 'node:util'
import { Logger } from '@aws-lambda-powertools/logger'
import * as v from 'valibot'
import { masked } from './values/masked.ts'

/**
 * Structured log lines. They hold only ids, never a phone number, an email, a key or a payload. In texts from outside, such data is masked.
 */
export const logger = new Logger({
  serviceName: 'lead-outreach',
  jsonReplacerFn: (_, value) => (typeof value === 'string' ? masked(value) : value),
})

/** Where a value failed its schema. */
const pathsOf = ({ issues }: { readonly issues: readonly v.BaseIssue<unknown>[] }): string[] =>
  issues.map((issue) => v.getDotPath(issue) ?? 'the whole value')

/** The message of a schema error contains the value that did not match: only its place may be logged. */
const tellable = (error: Error): string => (v.isValiError(error) ? `Unexpected shape: ${pathsOf(error).join(', ')}.` : error.message)

/** The stack without the message at its beginning. */
const framesOf = ({ stack = '' }: Error): string => {
  const start = stack.indexOf('\n    at ')
  return start < 0 ? '' : stack.slice(start)
}

/**
 * The parts of an error that may be logged: its name, message and stack. Values that did not match a schema, and further properties of an
 * error, are left out: they may be personal data.
 */
export const loggable = (error: unknown): Record<string, unknown> => {
  if (!types.isNativeError(error)) return { name: 'NotAnError', type: typeof error }
  const { name, cause } = error
  return {
    name,
    message: tellable(error),
    ...(v.isValiError(error) && { paths: pathsOf(error) }),
    stack: framesOf(error),
    ...(cause !== undefined && { cause: loggable(cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(loggable) }),
  }
}

/**
 * An error for the Lambda runtime, which prints every property of an error. This one holds only a name and a message that may be logged.
 */
export const printable = (error: unknown): Error =>
  types.isNativeError(error)
    ? Object.assign(new Error(masked(tellable(error))), { name: error.name })
    : new Error('The thrown value is not an Error.')
