import { field, isDictionary, type Refusal, refuse } from './field.ts'
import { notADictionary } from './metadata.ts'
import { pythonText } from './python.ts'
import { readText } from './text.ts'

export const MAX_HEADERS = 50
/** Bytes of names and values together. */
export const MAX_HEADERS_BYTES = 8 * 1024

/** A token of RFC 9110. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** Latin-1 without control characters: valid in an HTTP header, one byte per character. */
const VALUE = /^[\x20-\x7e\xa0-\xff]*$/

/** Headers that customers may not set: those of the connection, of the body's encoding, and of the signature. `Content-Type` is allowed. */
const RESERVED = new Set([
  ...['host', 'content-length', 'content-encoding', 'transfer-encoding', 'trailer', 'te', 'expect'],
  ...['connection', 'keep-alive', 'upgrade', 'http2-settings'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
])

type Headers = Readonly<Record<string, string>>

const nameProblems = (name: string): readonly string[] => {
  if (!NAME.test(name)) return [`"${pythonText(name)}" is not a valid header name.`]
  return RESERVED.has(name.toLowerCase()) ? [`${name}: This header may not be set.`] : []
}

/** Never quotes a value: it may be a password. */
const readValue = (name: string, value: unknown): string | Refusal => {
  if (value === null) return refuse(`${name}: This field may not be null.`)
  const text = readText(value)
  if (typeof text !== 'string') return refuse(...text.messages.map((message) => `${name}: ${message}`))
  return VALUE.test(text) ? text : refuse(`${name}: Only printable characters of Latin-1 are allowed.`)
}

const repeated = (names: readonly string[]): readonly string[] => {
  const lower = names.map((name) => name.toLowerCase())
  return names.filter((_, place) => lower.indexOf(lower[place] ?? '') < place).map((name) => `${name}: This header is given twice.`)
}

type Entries = readonly (readonly [string, unknown])[]

/** Characters of the names and of the string values. */
const lengthOf = (entries: Entries): number =>
  entries.reduce((sum, [name, value]) => sum + name.length + (typeof value === 'string' ? value.trim().length : 0), 0)

const TOO_LARGE = `Ensure this field has no more than ${MAX_HEADERS_BYTES} bytes of names and values.`

const readHeaders = (entries: Entries): Headers | Refusal => {
  if (entries.length > MAX_HEADERS) return refuse(`Ensure this field has no more than ${MAX_HEADERS} headers.`)
  // Checked first, because messages repeat the names.
  if (lengthOf(entries) > MAX_HEADERS_BYTES) return refuse(TOO_LARGE)
  const problems: string[] = []
  const read: [string, string][] = []
  for (const [name, value] of entries) {
    const wrong = nameProblems(name)
    const text = wrong.length > 0 ? refuse(...wrong) : readValue(name, value)
    if (typeof text === 'string') read.push([name, text])
    else problems.push(...text.messages)
  }
  problems.push(...repeated(entries.map(([name]) => name)))
  if (problems.length > 0) return refuse(...problems)
  const bytes = read.reduce((sum, [name, text]) => sum + name.length + text.length, 0)
  return bytes > MAX_HEADERS_BYTES ? refuse(TOO_LARGE) : Object.fromEntries(read)
}

/** Headers for outbound requests: at most 50, 8 KiB in all. Errors have the form `Name: …`. */
export const headersField = () =>
  field((value): Headers | Refusal => (isDictionary(value) ? readHeaders(Object.entries(value)) : refuse(notADictionary(value))), {
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1 },
    maxProperties: MAX_HEADERS,
    writeOnly: true,
  })
