import { Busboy } from '@fastify/busboy'
import { ServiceError } from '../../platform/values/errors.ts'

/** Fields of one form, at most. */
export const MAX_FIELDS = 1000

const MULTIPART = /^multipart\//i

const refusal = (contentType: string, reason: string): ServiceError =>
  new ServiceError('parse', `${MULTIPART.test(contentType) ? 'Multipart form' : 'Form'} parse error - ${reason}`)

const newParser = (contentType: string, bytes: number) => {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // Only a file has a name of its own; some clients give every field a media type.
      isPartAFile: (_field, _type, filename) => filename !== undefined,
      limits: { fields: MAX_FIELDS + 1, fieldNameSize: bytes, fieldSize: bytes },
    })
  } catch {
    throw refusal(contentType, 'Invalid boundary in multipart: None')
  }
}

/**
 * The fields of a form as text, in the charset that the header names (default: UTF-8). Of a repeated field the last one is
 * taken; files are left out. `contentType`: of a URL-encoded or a multipart form.
 * @throws ServiceError `parse` when the form is malformed, ends early or has more than a thousand fields.
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
