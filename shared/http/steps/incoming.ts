import * as v from 'valibot'
import { Dictionary } from '../fields/field.ts'

/** Values by name. A client chooses the names: `v.record` would drop some, such as `constructor`. */
const byName = <S extends v.GenericSchema>(value: S) =>
  v.pipe(
    v.nullish(Dictionary, {}),
    v.transform((values) => Object.entries(values)),
    v.array(v.tuple([v.string(), value])),
    v.transform((entries) => new Map(entries)),
  )
const Texts = byName(v.nullish(v.string(), ''))
const TextLists = byName(v.array(v.string()))

const ProxyEvent = v.object({
  httpMethod: v.string(),
  path: v.string(),
  headers: Texts,
  pathParameters: Texts,
  queryStringParameters: Texts,
  multiValueQueryStringParameters: TextLists,
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.boolean(), false),
  requestContext: v.object({ requestId: v.string(), domainName: v.nullish(v.string(), ''), path: v.nullish(v.string(), '') }),
})

/** A request as the client sent it, without the gateway's encoding. */
export interface Incoming {
  readonly method: string
  /** Without the stage, as the route table has it. */
  readonly path: string
  /** The URL that the client requested, without the query: `https://api.example.com/prod/api/leads/`. */
  readonly url: string
  readonly requestId: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The last value of each parameter. */
  readonly query: Readonly<Record<string, string>>
  /** Every value of each parameter. */
  readonly queryLists: Readonly<Record<string, readonly string[]>>
  readonly pathParameters: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** Only the gateway's own context contains the path with its stage. */
const absoluteUrl = ({ path, requestContext }: v.InferOutput<typeof ProxyEvent>, headers: Readonly<Record<string, string>>): string => {
  const scheme = headers['x-forwarded-proto'] === 'http' ? 'http' : 'https'
  return `${scheme}://${requestContext.domainName || headers['host'] || 'localhost'}${requestContext.path || path}`
}

/** @throws ValiError when the event is not API Gateway's */
export const readIncoming = (event: unknown): Incoming => {
  const parsed = v.parse(ProxyEvent, event)
  const { httpMethod, path, pathParameters, queryStringParameters, multiValueQueryStringParameters, body, isBase64Encoded } = parsed
  const headers = Object.fromEntries([...parsed.headers].map(([name, text]) => [name.toLowerCase(), text]))
  const singles = [...queryStringParameters].map(([name, value]) => [name, [value]] as const)
  const query = Object.fromEntries([...multiValueQueryStringParameters].map(([name, values]) => [name, values.at(-1) ?? '']))
  return {
    method: httpMethod,
    path,
    url: absoluteUrl(parsed, headers),
    requestId: parsed.requestContext.requestId,
    headers,
    query: { ...Object.fromEntries(queryStringParameters), ...query },
    queryLists: Object.fromEntries([...singles, ...multiValueQueryStringParameters]),
    pathParameters: Object.fromEntries(pathParameters),
    bytes: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}
