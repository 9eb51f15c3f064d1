import type { ApiSpec } from '../model.ts'
import { defaultGatewayTemplate } from '../template/rest-api.ts'
import type { GatewayAnswer } from './answer.ts'
import type { Received } from './event.ts'

/** API Gateway's own responses that can occur here, with AWS's status and message. */
const kinds = {
  badPath: { type: 'BAD_REQUEST_PARAMETERS', statusCode: 400, message: 'Bad Request' },
  noRoute: { type: 'MISSING_AUTHENTICATION_TOKEN', statusCode: 403, message: 'Missing Authentication Token' },
  tooLarge: { type: 'REQUEST_TOO_LARGE', statusCode: 413, message: 'Request Too Long' },
  unavailable: { type: 'DEFAULT_5XX', statusCode: 500, message: 'Internal server error' },
  badAnswer: { type: 'DEFAULT_5XX', statusCode: 502, message: 'Internal server error' },
  timedOut: { type: 'INTEGRATION_TIMEOUT', statusCode: 504, message: 'Endpoint request timed out' },
} as const

export type GatewayResponseKind = keyof typeof kinds

/** Evaluates a header's value: `'text'`, or a field of the request's context. */
const headerValue = (expression: string, context: ReadonlyMap<string, string>): string =>
  /^'(.*)'$/.exec(expression)?.[1] ?? context.get(expression.replace(/^context\./, '')) ?? ''

/** Renders the API's gateway response of this kind, else the default of its family, else AWS's. */
export const gatewayAnswer = (api: ApiSpec, kind: GatewayResponseKind, received: Received): GatewayAnswer => {
  const { type, statusCode, message } = kinds[kind]
  const declared = api.gatewayResponses[type] ?? api.gatewayResponses[statusCode < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX']
  const context = new Map([
    ['error.message', message],
    ['error.messageString', JSON.stringify(message)],
    ['error.responseType', type],
    ['extendedRequestId', received.requestId],
    ['httpMethod', received.request.method ?? ''],
    ['identity.sourceIp', received.sourceIp],
    ['path', received.path],
    ['requestId', received.requestId],
    ['requestTimeEpoch', String(received.receivedAt)],
  ])
  const body = (declared?.template ?? defaultGatewayTemplate).replaceAll(
    /\$context\.(\w+(?:\.\w+)*)/g,
    (_, name: string) => context.get(name) ?? '',
  )
  const headers = Object.entries(declared?.headers ?? {}).map(([name, expression]) => [name, [headerValue(expression, context)]] as const)
  return {
    statusCode: declared?.statusCode ?? statusCode,
    headers: new Map([['Content-Type', ['application/json']], ...headers]),
    body: Buffer.from(body),
  }
}
