import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { loggable, logger } from '../../platform/logger.ts'
import { TableBusyError } from '../../platform/transient-errors.ts'
import { busy, type ErrorCode, ServiceError } from '../../platform/values/errors.ts'
import { proxyResult, type Reply } from '../reply.ts'

const STATUS: Readonly<Record<ErrorCode, number>> = {
  validation: 400,
  parse: 400,
  unauthenticated: 401,
  unsigned: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  failed_dependency: 424,
  throttled: 429,
  unavailable: 503,
}

const headersFor = ({ code, allowed, retryAfter }: ServiceError): Record<string, string> => {
  if (code === 'unauthenticated') return { 'WWW-Authenticate': 'Token' }
  if (code === 'unsigned') return { 'WWW-Authenticate': 'Signature' }
  if (retryAfter > 0) return { 'Retry-After': `${retryAfter}` }
  return code === 'method_not_allowed' ? { Allow: allowed.join(', ') } : {}
}

export const refusalReply = (error: ServiceError): Reply => {
  const body = error.code === 'validation' ? error.fields : { detail: error.message }
  return { status: STATUS[error.code], body, headers: headersFor(error) }
}

/** The answer, or that of the refusal. @throws every other error */
export const orRefusal = async (answer: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof ServiceError) return refusalReply(error)
    throw error
  }
}

/** The only place that turns errors into answers. Unexpected errors are logged, and the client gets no details. */
const errorReply = (error: unknown): Reply => {
  if (error instanceof ServiceError) return refusalReply(error)
  if (error instanceof TableBusyError) {
    logger.warn('The table was too busy for the request.', { error: loggable(error) })
    return refusalReply(busy())
  }
  logger.error('The request failed.', { error: loggable(error) })
  return { status: 500, body: { detail: 'A server error occurred.' } }
}

export const errorReplies = (): MiddlewareObj<unknown, APIGatewayProxyResult> => ({
  onError: (request) => {
    request.response = proxyResult(errorReply(request.error))
  },
})
