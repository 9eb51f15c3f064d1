import { Busboy } from '@fastify/busboy'
import { ServiceError } from '../../platform/values/errors.ts'
import { listed } from '../fields/nearest.ts'
import { parseJson } from '../json.ts'
import type { Incoming } from './incoming.ts'

/** Most fields of one form. */
export const MAX_FIELDS = 1000

const MULTIPART = /^multipart\//i

const refusal = (contentType: string, reason: string): ServiceError =>
  new ServiceError('parse', `${MULTIPART.test(contentType) ? 'Multipart form' : 'Form'} parse error - ${reason}`)

const newParser = (contentType: string, bytes: number) => {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Only a file has a filename. The media type is no sign, because some clients send one with every field.
      isPartAFile: (_field, _type, filename) => filename !== undefined,
      limits: { fields: MAX_FIELDS + 1, fieldNameSize: bytes, fieldSize: bytes },
    })
  } catch {
    throw refusal(contentType, 'Invalid boundary in multipart: None')
  }
}

/**
 * The fields of a form as text, in the charset of the header (default: UTF-8). The last value of a repeated field counts; files are
 * dropped.
 * `contentType`: of a URL-encoded or a multipart form.
 * @throws ServiceError `parse` when the form is malformed, ends early or has more than a thousand fields
 */
export const readForm = async (bytes: Buffer, contentType: string): Promise<Record<string, string>> => {
  const parser = newParser(contentType, bytes.length)
  const fields = new Map<string, string>()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let count = 0
  parser.on('field', (name: string | undefined, text, _nameTruncated, _truncated, encoding) => {
    if (++count > MAX_FIELDS) reject(refusal(contentType, `More than ${MAX_FIELDS} fields.`))
    if (name !== undefined) fields.set(name, encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text)
  })
  parser.on('error', () => reject(refusal(contentType, 'Unexpected end of multipart data.')))
  parser.on('finish', resolve)
  parser.end(bytes)
  await promise
  return Object.fromEntries(fields)
}

export const MAX_BODY_BYTES = 4 * 1024 * 1024

const FORMS = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** A parsed body, before its fields are checked. */
export type Body = { readonly form: false; readonly values: unknown } | { readonly form: true; readonly values: Record<string, string> }

/** A body and its result. A refusal is stored like an answer, so that a repeat gets the same one. */
export type ReadBody<T> =
  | { readonly body: Body | undefined; readonly value: T }
  | { readonly body: Body | undefined; readonly refusal: ServiceError }

/** Strict: invalid bytes are refused, not replaced. */
const decoderFor = (charset: string): InstanceType<typeof TextDecoder> => {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true })
  } catch {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  }
}

const hex = (byte: number | undefined): string => `0x${(byte ?? 0).toString(16).padStart(2, '0')}`

/** Whether a UTF-8 character can begin with this byte. */
const mayBegin = (byte: number): boolean => byte < 0x80 || (byte >= 0xc2 && byte <= 0xf4)

/** Where and why bytes cannot be decoded, in the words of Python's decoder. */
const undecodable = (bytes: Buffer, charset: string): string => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const position = Buffer.byteLength(text.slice(0, text.indexOf('\ufffd')))
  const reason = mayBegin(bytes[position] ?? 0) ? 'invalid continuation byte' : 'invalid start byte'
  return `'${charset}' codec can't decode byte ${hex(bytes[position])} in position ${position}: ${reason}`
}

const decode = (bytes: Buffer, contentType: string): string => {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType) ?? []
  try {
    return decoderFor(charset).decode(bytes)
  } catch {
    throw new ServiceError('parse', `JSON parse error - ${undecodable(bytes, charset)}`)
  }
}

const JSON_TYPE = 'application/json'

/** Bytes at the start of a body. Blanks that fill them hide the rest. */
const START = 100

/** Whether a body is a JSON object or list, whatever its content type says. No form begins like one. */
const isJson = (bytes: Buffer): boolean => {
  if (!/^\s*[{[]/.test(bytes.toString('latin1', 0, START))) return false
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}

const SEND_JSON = `Send the header "Content-Type: ${JSON_TYPE}".`

const unsupported = (contentType: string, { bytes, forms }: { readonly bytes: Buffer; readonly forms: boolean }): ServiceError => {
  const missing = contentType === '' ? ' The header "Content-Type" is missing.' : ''
  const accepted = forms ? `Accepted are ${listed([JSON_TYPE, ...FORMS])}.` : `Only ${JSON_TYPE} is accepted.`
  const help = isJson(bytes) ? `The body is JSON. ${SEND_JSON}` : accepted
  return new ServiceError('unsupported_media_type', `Unsupported media type "${contentType}" in request.${missing} ${help}`)
}

/** @throws ServiceError `parse` when the form is malformed, or when it is JSON: `curl -d` calls every body a form */
const readAsForm = (bytes: Buffer, contentType: string): Promise<Record<string, string>> => {
  if (isJson(bytes)) throw refusal(contentType, `The body is JSON, not a form. ${SEND_JSON}`)
  return readForm(bytes, contentType)
}

/** @throws ServiceError `too_large`. */
export const checkSize = ({ bytes }: Incoming): void => {
  if (bytes.length > MAX_BODY_BYTES) throw new ServiceError('too_large', `Request body is larger than ${MAX_BODY_BYTES} bytes.`)
}

/**
 * The values of a body; an empty body is an empty dictionary. `forms`: whether forms are accepted besides JSON.
 * @throws ServiceError `parse` or `unsupported_media_type`
 */
const readBody = async ({ bytes, headers }: Incoming, { forms }: { readonly forms: boolean }): Promise<Body> => {
  if (bytes.length === 0) return { form: false, values: {} }
  const contentType = headers['content-type'] ?? ''
  const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (mediaType === JSON_TYPE) return { form: false, values: parseJson(decode(bytes, contentType)) }
  if (forms && FORMS.has(mediaType)) return { form: true, values: await readAsForm(bytes, contentType) }
  throw unsupported(contentType, { bytes, forms })
}

/** Reads a body and makes its result, or returns why it is refused. @throws ServiceError `unsupported_media_type` */
export const readOrRefuse = async <T>(
  incoming: Incoming,
  options: { readonly forms: boolean },
  make: (body: Body) => T,
): Promise<ReadBody<T>> => {
  let body: Body | undefined
  try {
    body = await readBody(incoming, options)
    return { body, value: make(body) }
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'unsupported_media_type') return { body, refusal: error }
    throw error
  }
}
