import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda'
import type { ApiHandler } from '#shared/http/served.ts'

export const REQUEST_ID = '4f2a0c1e-0000-4000-8000-00000000f00d'

export interface EventOptions {
  readonly method?: string
  readonly path?: string
  readonly resource?: string
  readonly params?: Readonly<Record<string, string>> | null
  readonly query?: Readonly<Record<string, string>> | null
  /** All values of repeated parameters. `query` then holds the last value of each. */
  readonly queryLists?: Readonly<Record<string, string[]>> | null
  /** Path as the client requested it, with the stage. Default: `path`. */
  readonly requestPath?: string
  readonly domainName?: string
  readonly headers?: Readonly<Record<string, string>> | null
  /** Text is sent unchanged, a Buffer as base64, anything else as JSON. JSON gets its content type, unless `headers` sets one. */
  readonly body?: unknown
}

/** An event as the REST API passes it to its function. */
const apiEvent = (options: EventOptions = {}): APIGatewayProxyEvent => {
  const { method = 'POST', path = '/api/leads/', resource = path.replace(/\/$/, ''), params = null, query = null, body } = options
  const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)
  const headers = options.headers === null ? null : { ...(isJson && { 'Content-Type': 'application/json' }), ...options.headers }
  const identity = { sourceIp: '127.0.0.1', userAgent: 'test' } as APIGatewayProxyEvent['requestContext']['identity']
  return {
    httpMethod: method,
    path,
    resource,
    headers: headers as APIGatewayProxyEvent['headers'],
    multiValueHeaders: {},
    pathParameters: params,
    queryStringParameters: query,
    multiValueQueryStringParameters: options.queryLists ?? null,
    stageVariables: null,
    body: body === undefined ? null : Buffer.isBuffer(body) ? body.toString('base64') : isJson ? JSON.stringify(body) : `${body}`,
    isBase64Encoded: Buffer.isBuffer(body),
    requestContext: {
      accountId: '123456789012',
      apiId: 'api',
      authorizer: null,
      protocol: 'HTTP/1.1',
      httpMethod: method,
      identity,
      ...(options.domainName !== undefined && { domainName: options.domainName }),
      path: options.requestPath ?? path,
      stage: 'test',
      requestId: REQUEST_ID,
      requestTimeEpoch: 0,
      resourceId: 'resource',
      resourcePath: resource,
    },
  }
}

const lambdaContext = (): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'function',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:function',
  memoryLimitInMB: '512',
  awsRequestId: '4f2a0c1e-0000-4000-8000-0000000000aa',
  logGroupName: '/aws/lambda/function',
  logStreamName: 'stream',
  // A slow machine, or a simulation on its own clock, needs longer than a function may run on AWS.
  getRemainingTimeInMillis: () => 3_600_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
})

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer
  readonly json: any
}

/** Calls a function as API Gateway does, and parses its answer. */
export const send = async (handler: ApiHandler, options: EventOptions = {}): Promise<Answer> => {
  const result: APIGatewayProxyResult = await handler(apiEvent(options), lambdaContext())
  return {
    status: result.statusCode,
    headers: (result.headers ?? {}) as Record<string, string>,
    json: result.body === '' ? undefined : JSON.parse(result.body),
  }
}
