import { ServiceError } from '../../platform/values/errors.ts'
import { parseJson } from '../json.ts'
import { readForm } from './form.ts'
import type { Incoming } from './incoming.ts'

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
  if (mediaType === 'application/json') return { form: false, values: parseJson(decode(bytes, contentType)) }
  if (forms && FORMS.has(mediaType)) return { form: true, values: await readForm(bytes, contentType) }
  throw new ServiceError('unsupported_media_type', `Unsupported media type "${contentType}" in request.`)
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
