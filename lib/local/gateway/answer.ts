import { validateHeaderName, validateHeaderValue } from 'node:http'
import * as v from 'valibot'

/** The first media type of a header, without its parameters. */
const essence = (header: string): string => (header.split(/[;,]/)[0] ?? '').trim().toLowerCase()

/** Whether the API treats this `Content-Type` or `Accept` value as binary. */
export const isBinary = (binaryMediaTypes: readonly string[], header: string | undefined): boolean =>
  binaryMediaTypes.some((pattern) => pattern === '*/*' || (header !== undefined && essence(pattern) === essence(header)))

/** The response to the client. Header names keep the function's spelling, and each name has all its values. */
export interface GatewayAnswer {
  readonly statusCode: number
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Buffer
}

const accepts = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

const headerName = v.pipe(
  v.string(),
  v.check((name) => accepts(() => validateHeaderName(name)), 'Invalid header name'),
)
const headerValue = v.pipe(
  v.union([v.string(), v.number(), v.boolean()]),
  v.transform((value) => String(value)),
  v.check((value) => accepts(() => validateHeaderValue('name', value)), 'Invalid header value'),
)

/** All fields are optional, but API Gateway refuses unknown ones. */
const proxyAnswerSchema = v.strictObject({
  statusCode: v.nullish(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.digits())]),
      v.transform((value) => Number(value)),
      v.integer(),
      v.minValue(200),
      v.maxValue(599),
    ),
    200,
  ),
  headers: v.nullish(v.record(headerName, headerValue), {}),
  multiValueHeaders: v.nullish(v.record(headerName, v.array(headerValue)), {}),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.boolean(), false),
})

/** Headers that API Gateway sets itself. It renames a function's headers of the same name. */
const remapped = new Set(['connection', 'content-length', 'date', 'server', 'www-authenticate'])
const dropped = new Set(['keep-alive', 'trailer', 'transfer-encoding', 'upgrade'])

/**
 * The names under which a header leaves the gateway. `WWW-Authenticate` keeps its name beside API Gateway's new one. A 401 without it
 * breaks HTTP clients, and a deployment can map it back.
 */
const outgoingNames = (name: string): readonly string[] => {
  const plain = name.toLowerCase()
  if (dropped.has(plain)) return []
  if (!remapped.has(plain)) return [name]
  return plain === 'www-authenticate' ? [name, `x-amzn-Remapped-${name}`] : [`x-amzn-Remapped-${name}`]
}

/** Bytes. Lambda's limit for a response. */
const MAX_PAYLOAD = 6 * 1024 * 1024

const isTooLarge = (payload: unknown): boolean => Buffer.byteLength(JSON.stringify(payload) ?? '') > MAX_PAYLOAD

/** The function's answer for the client, or why it is malformed. A base64 body is decoded when the first type in `Accept` is binary. */
export const readAnswer = (payload: unknown, binaryMediaTypes: readonly string[], accept: string | undefined): GatewayAnswer | string => {
  if (isTooLarge(payload)) return `the answer is larger than ${MAX_PAYLOAD} bytes`
  const parsed = v.safeParse(proxyAnswerSchema, payload)
  if (!parsed.success) return `${v.getDotPath(parsed.issues[0]) ?? 'answer'}: ${parsed.issues[0].message}`
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = parsed.output
  const collected = new Map<string, { readonly name: string; readonly values: Set<string> }>()
  const singles = Object.entries(headers).map(([name, value]) => [name, [value]] as const)
  for (const [given, values] of [...singles, ...Object.entries(multiValueHeaders)]) {
    for (const name of outgoingNames(given)) {
      const entry = collected.get(name.toLowerCase()) ?? { name, values: new Set<string>() }
      for (const value of values) entry.values.add(value)
      collected.set(name.toLowerCase(), entry)
    }
  }
  if (!collected.has('content-type')) collected.set('content-type', { name: 'Content-Type', values: new Set(['application/json']) })
  return {
    statusCode,
    headers: new Map([...collected.values()].map(({ name, values }) => [name, [...values]] as const)),
    body: Buffer.from(body, isBase64Encoded && isBinary(binaryMediaTypes, accept) ? 'base64' : 'utf8'),
  }
}
