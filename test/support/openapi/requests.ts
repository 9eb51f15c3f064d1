import fc from 'fast-check'
import type { Documented, OpenApi } from './documented.ts'
import { drawValue, junk, type Known, mutated } from './draw.ts'

export interface DrawnRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The bytes that are sent. */
  readonly body: Buffer
}

/** `valid`: only requests that the document allows. */
export interface Drawing {
  readonly valid: boolean
  readonly known: Known
  readonly keys: readonly string[]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** A path segment cannot be empty. */
const asPart = (value: unknown): string => asText(value).toWellFormed() || '-'

const record = (entries: readonly (readonly [string, string] | undefined)[]): Record<string, string> =>
  Object.fromEntries(entries.filter((entry) => entry !== undefined))

const drawPlace = (document: OpenApi, { operation }: Documented, place: string, { valid, known }: Drawing) =>
  fc
    .tuple(
      ...operation.parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema, required }) => {
          const allowed = known[name] ?? drawValue(document, schema)
          const value = valid ? allowed : fc.oneof(allowed, allowed, junk)
          const pair = fc.tuple(fc.constant(name), value.map(place === 'path' ? asPart : asText))
          // Half of them: most requests of clients have few parameters.
          return required ? pair : fc.option(pair, { nil: undefined, freq: 1 })
        }),
    )
    .map(record)

const multipart = (value: unknown): string =>
  `${Object.entries(value as object)
    .map(([name, one]) => `--b\r\nContent-Disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '_')}"\r\n\r\n${asText(one)}\r\n`)
    .join('')}--b--\r\n`

const urlEncoded = (value: unknown): string =>
  new URLSearchParams(Object.entries(value as object).map(([name, one]) => [name, asText(one)] as [string, string])).toString()

/** The body as one of the operation's media types. */
const encoded = (value: unknown, type: string): readonly [string, Buffer] => {
  if (type === 'multipart/form-data') return [`${type}; boundary=b`, Buffer.from(multipart(value))]
  return [type, Buffer.from(type === 'application/json' ? JSON.stringify(value) : urlEncoded(value))]
}

const brokenBody: fc.Arbitrary<readonly [string, Buffer]> = fc.oneof(
  fc
    .constantFrom('{', '[1,', '"a', '{"a":NaN}', '\ufeff{}', '[[[[', '{"a":1}x', '\0', 'null', '1', '""', '', ' ')
    .map((text) => ['application/json', Buffer.from(text)] as const),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => ['application/json', Buffer.from(bytes)] as const),
  fc
    .constantFrom('text/plain', 'application/xml', '', 'application/json; charset=latin1', 'multipart/form-data', 'image/png')
    .map((type) => [type, Buffer.from('{"phone_number":"é"}')] as const),
  fc.constant('['.repeat(100_000)).map((text) => ['application/json', Buffer.from(text)] as const),
)

const drawBody = (
  document: OpenApi,
  { body, operation }: Documented,
  { valid, known }: Drawing,
): fc.Arbitrary<readonly [string, Buffer]> => {
  if (!body) return fc.constant(['', Buffer.alloc(0)])
  const allowed = known['body'] ?? drawValue(document, body, known)
  const types = fc.constantFrom(...operation.mediaTypes)
  const whole = fc.tuple(allowed, types).map(([value, type]) => encoded(value, type))
  if (valid) return whole
  const spoilt = allowed.chain(mutated).map((value) => encoded(value, 'application/json'))
  return fc.oneof({ weight: 8, arbitrary: spoilt }, { weight: 1, arbitrary: whole }, { weight: 2, arbitrary: brokenBody })
}

const drawCredentials = ({ valid, keys }: Drawing): fc.Arbitrary<Record<string, string>> => {
  const good = fc.constantFrom(...keys).map((key) => ({ Authorization: `Token ${key}` }))
  const bad = fc
    .constantFrom('', 'Token', 'Token ', 'Bearer x', 'Token a b', 'Token \u00e9', `Token ${'x'.repeat(5000)}`)
    .map((text) => ({ Authorization: text }))
  return valid ? good : fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: bad }, { weight: 1, arbitrary: fc.constant({}) })
}

/** Generates requests for an operation of the document. */
export const drawRequest = (document: OpenApi, one: Documented, drawing: Drawing): fc.Arbitrary<DrawnRequest> =>
  fc
    .record({
      params: drawPlace(document, one, 'path', drawing),
      query: drawPlace(document, one, 'query', drawing),
      headers: drawPlace(document, one, 'header', drawing),
      credentials: one.security === 'token' ? drawCredentials(drawing) : fc.constant({}),
      typed: drawBody(document, one, drawing),
    })
    .map(({ params, query, headers, credentials, typed: [type, body] }) => ({
      params,
      query,
      headers: { ...headers, ...credentials, ...(type !== '' && { 'Content-Type': type }) },
      body,
    }))
