import { afterEach } from '@jest/globals'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { type Gateway, type GatewayOptions, startGateway } from '#lib/local/gateway/server.ts'
import type { ApiSpec, Invoke, RouteSpec } from '#lib/local/model.ts'

export const route = (method: string, path: string, functionName = `${method} ${path}`): RouteSpec => ({ method, path, functionName })
const detail = {
  statusCode: undefined,
  template: '{"detail": $context.error.messageString}',
  headers: { 'X-Request-Id': 'context.requestId' },
}

export const api: ApiSpec = {
  routes: [
    route('POST', '/api/leads'),
    route('GET', '/api/leads/{id}'),
    route('DELETE', '/api/leads/search'),
    route('ANY', '/api/files/{proxy+}'),
  ],
  binaryMediaTypes: ['multipart/form-data', 'application/octet-stream'],
  gatewayResponses: { DEFAULT_4XX: detail, DEFAULT_5XX: detail },
}

/** Gateways to close after each test. */
export const started: Gateway[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((gateway) => gateway.close()))
})

/** Starts a gateway with one function, which answers with `payload`. */
export const serve = async (payload: unknown = { statusCode: 200 }, options: Partial<GatewayOptions> = {}) => {
  const events: { readonly functionName: string; readonly event: APIGatewayProxyEvent }[] = []
  const invoke: Invoke = async (functionName, event) => {
    events.push({ functionName, event: event as APIGatewayProxyEvent })
    return { ok: true, payload }
  }
  const gateway = await startGateway({ api, invoke, port: 0, ...options })
  started.push(gateway)
  return { gateway, url: gateway.url, events }
}
