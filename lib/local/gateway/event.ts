import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { localPlace } from '../template/arn.ts'
import { isBinary } from './answer.ts'
import type { RouteMatch } from './routes.ts'

/** Headers of a single connection, and headers that API Gateway does not pass on. */
const withheld = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const forwarding = new Set(['x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto'])

const stage = 'local'

type Values = Record<string, string[]>

/** Groups values by name. Names come from the client, so plain assignment to an object is unsafe (`__proto__`). */
const collect = (pairs: Iterable<readonly [string, string]>): Values =>
  Object.fromEntries([...Map.groupBy(pairs, ([name]) => name)].map(([name, entries]) => [name, entries.map(([, value]) => value)] as const))

const lastOf = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1) ?? ''] as const))

const headerPairs = (request: IncomingMessage): readonly (readonly [string, string])[] => {
  const { rawHeaders } = request
  const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []))
  return pairs.filter(([name]) => !withheld.has(name.toLowerCase()))
}

/** `20/Nov/2026:16:00:00 +0000`. */
const logTime = (epochMs: number): string => {
  const [, day, month, year, time] = new Date(epochMs).toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}

export interface Received {
  readonly request: IncomingMessage
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly path: string
  readonly query: string
  readonly sourceIp: string
  /** The address of a tunnel to this machine. */
  readonly publicUrl?: URL | undefined
}

/** The address that the client requested. A tunnel keeps its own name in one of two headers. */
const addressOf = ({ request: { headers, socket }, publicUrl }: Received) =>
  publicUrl && [headers.host, headers['x-forwarded-host']].includes(publicUrl.host)
    ? { domainName: publicUrl.host, port: '443', scheme: 'https' }
    : { domainName: headers.host ?? '', port: String(socket.localPort ?? ''), scheme: 'http' }

/** The event of a proxy integration, payload format 1.0. Its `path` stays percent-encoded, as in a REST API. */
export const proxyEvent = (
  received: Received,
  match: RouteMatch,
  body: Buffer,
  binaryMediaTypes: readonly string[],
): APIGatewayProxyEvent => {
  const { request, requestId, receivedAt, path, sourceIp } = received
  const { route, pathParameters } = match
  const { domainName, port, scheme } = addressOf(received)
  const method = request.method ?? 'GET'
  const forwardedFor = [request.headers['x-forwarded-for'] ?? [], sourceIp].flat().join(', ')
  const headers = collect([
    ...headerPairs(request).filter(([name]) => !forwarding.has(name.toLowerCase())),
    ['X-Forwarded-For', forwardedFor],
    ['X-Forwarded-Port', port],
    ['X-Forwarded-Proto', scheme],
  ])
  const query = collect(new URLSearchParams(received.query))
  const hasQuery = Object.keys(query).length > 0
  const isBase64Encoded = body.length > 0 && isBinary(binaryMediaTypes, request.headers['content-type'])
  const nobody = { accessKey: null, accountId: null, apiKey: null, apiKeyId: null, caller: null, clientCert: null, principalOrgId: null }
  const noCognito = {
    cognitoAuthenticationProvider: null,
    cognitoAuthenticationType: null,
    cognitoIdentityId: null,
    cognitoIdentityPoolId: null,
  }
  return {
    resource: route.path,
    path,
    httpMethod: method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: hasQuery ? lastOf(query) : null,
    multiValueQueryStringParameters: hasQuery ? query : null,
    pathParameters: Object.keys(pathParameters).length > 0 ? { ...pathParameters } : null,
    stageVariables: null,
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
    requestContext: {
      accountId: localPlace.account,
      apiId: stage,
      authorizer: null,
      domainName,
      domainPrefix: stage,
      extendedRequestId: requestId,
      httpMethod: method,
      identity: { ...nobody, ...noCognito, sourceIp, user: null, userAgent: request.headers['user-agent'] ?? null, userArn: null },
      path,
      protocol: `HTTP/${request.httpVersion}`,
      requestId,
      requestTime: logTime(receivedAt),
      requestTimeEpoch: receivedAt,
      resourceId: route.path,
      resourcePath: route.path,
      stage,
    },
  }
}
