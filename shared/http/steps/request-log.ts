import type { MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyResult, Context } from 'aws-lambda'
import * as v from 'valibot'
import { setting } from '../../platform/environment.ts'
import { logger } from '../../platform/logger.ts'
import { flushMetrics, measure, recordFailures } from '../../platform/metrics.ts'
import { consumedUnits, unitsSince } from '../../platform/table/consumed-units.ts'
import { returnDatetimesIn } from '../../platform/values/time.ts'

const LoggedEvent = v.object({
  httpMethod: v.optional(v.string()),
  resource: v.optional(v.string()),
  requestContext: v.optional(v.object({ requestId: v.string() })),
})

interface Trace extends Record<string, unknown> {
  /** Start of the request: milliseconds of the process's own clock. */
  began?: number
  /** The table units consumed before the request. */
  before?: typeof consumedUnits
}

type RequestLog = MiddlewareObj<unknown, APIGatewayProxyResult, Error, Context, Trace>

const parsedEvent = (event: unknown): v.InferOutput<typeof LoggedEvent> => {
  const parsed = v.safeParse(LoggedEvent, event)
  return parsed.success ? parsed.output : {}
}

const classOf = (status: number) => {
  if (status < 300) return 'requests_2xx'
  if (status < 400) return 'requests_3xx'
  return status < 500 ? 'requests_4xx' : 'requests_5xx'
}

/** Logs one line per request: who asked what, and its cost. The request id is in that line, in every other line and in the answer. */
export const requestLog = (): RequestLog => {
  const finish: RequestLog['after'] = ({ event, context, response, internal }) => {
    if (!response) return
    const { httpMethod, resource, requestContext } = parsedEvent(event)
    response.headers = { ...response.headers, 'X-Request-Id': requestContext?.requestId ?? context.awsRequestId }
    logger.info('request', {
      method: httpMethod,
      route: resource,
      status: response.statusCode,
      milliseconds: Math.round(performance.now() - (internal.began ?? 0)),
      ...unitsSince(internal.before ?? consumedUnits),
    })
    measure(classOf(response.statusCode))
    flushMetrics()
    recordFailures(context.functionName, response.statusCode < 500 ? 0 : 1)
  }
  return {
    before: ({ event, context, internal }) => {
      internal.began = performance.now()
      internal.before = { ...consumedUnits }
      returnDatetimesIn(setting('OUTPUT_TIMEZONE'))
      logger.resetKeys()
      logger.appendKeys({ request_id: parsedEvent(event).requestContext?.requestId ?? context.awsRequestId })
    },
    after: finish,
    onError: finish,
  }
}
