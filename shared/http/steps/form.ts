import { Busboy } from '@fastify/busboy'
import { ServiceError } from '../../platform/values/errors.ts'

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
