import * as v from 'valibot'

const Texts = v.pipe(
  v.nullish(v.record(v.string(), v.nullish(v.string(), '')), {}),
  v.transform((texts) => new Map(Object.entries(texts))),
)

const ProxyEvent = v.object({
  httpMethod: v.string(),
  path: v.string(),
  headers: Texts,
  pathParameters: Texts,
  queryStringParameters: Texts,
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.boolean(), false),
  requestContext: v.object({ requestId: v.string() }),
})

/** A request as it came in, whatever the gateway did to carry it. */
export interface Incoming {
  readonly method: string
  readonly path: string
  readonly requestId: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly pathParameters: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** @throws ValiError when the event is none of API Gateway's. */
export const readIncoming = (event: unknown): Incoming => {
  const { httpMethod, path, headers, pathParameters, queryStringParameters, body, isBase64Encoded, requestContext } = v.parse(
    ProxyEvent,
    event,
  )
  return {
    method: httpMethod,
    path,
    requestId: requestContext.requestId,
    headers: Object.fromEntries([...headers].map(([name, text]) => [name.toLowerCase(), text])),
    query: Object.fromEntries(queryStringParameters),
    pathParameters: Object.fromEntries(pathParameters),
    bytes: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}
