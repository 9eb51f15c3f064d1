import { ServiceError } from '../domain/errors.ts'
import type { Incoming } from './incoming.ts'
import { parseJson } from './json.ts'

const MAX_BYTES = 4 * 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decodeUtf8 = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ServiceError('parse', "JSON parse error - 'utf-8' codec can't decode the body: invalid start or continuation byte")
  }
}

/** What reads a body, by media type: forms belong here beside JSON. */
const readers: ReadonlyMap<string, (bytes: Buffer, contentType: string) => unknown> = new Map([
  ['application/json', (bytes) => parseJson(decodeUtf8(bytes))],
])

/** @throws ServiceError `too_large`. */
export const checkSize = ({ bytes }: Incoming): void => {
  if (bytes.length > MAX_BYTES) throw new ServiceError('too_large', `Request body is larger than ${MAX_BYTES} bytes.`)
}

/** The values of a body; an empty one is an empty dictionary. @throws ServiceError `parse` or `unsupported_media_type`. */
export const readBody = ({ bytes, headers }: Incoming): unknown => {
  if (bytes.length === 0) return {}
  const contentType = headers['content-type'] ?? ''
  const [mediaType = ''] = contentType.split(';')
  const read = readers.get(mediaType.trim().toLowerCase())
  if (!read) throw new ServiceError('unsupported_media_type', `Unsupported media type "${contentType}" in request.`)
  return read(bytes, contentType)
}
