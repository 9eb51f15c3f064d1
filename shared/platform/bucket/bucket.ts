import { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { realNow } from '../clock.ts'
import { setting } from '../environment.ts'
import { HOUR, MINUTE, SECOND } from '../values/durations.ts'

/**
 * Checksums only where S3 requires them. Otherwise the SDK would sign the checksum of an empty body into an upload URL. S3 would then
 * refuse every file but an empty one.
 */
export const bucketClient = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' })

/** Lifetime of a presigned URL, in milliseconds. */
export const URL_LIFETIME = HOUR

const expiresIn = URL_LIFETIME / SECOND

/** A URL that accepts one or more PUT requests, with any body and content type. */
export const presignPut = (key: string): Promise<string> =>
  getSignedUrl(bucketClient, new PutObjectCommand({ Bucket: setting('UPLOADS_BUCKET'), Key: key }), { expiresIn })

/**
 * Milliseconds for which the URL of a download stays the same, so that polls of unchanged objects have equal answers. Functions with other
 * credentials make other URLs.
 */
const SIGNED_EVERY = 5 * MINUTE

/** A URL to download an object, for at least the lifetime. The file name must not contain quotes. */
export const presignGet = (key: string, filename: string): Promise<string> => {
  const ResponseContentDisposition = `attachment; filename="${filename}"`
  return getSignedUrl(bucketClient, new GetObjectCommand({ Bucket: setting('UPLOADS_BUCKET'), Key: key, ResponseContentDisposition }), {
    expiresIn: expiresIn + SIGNED_EVERY / SECOND,
    signingDate: new Date(realNow() - (realNow() % SIGNED_EVERY)),
  })
}

const NOT_THERE = ['NoSuchKey', 'NoSuchVersion']

interface Range {
  /** Version of the object. Default: the latest one. */
  readonly version?: string | undefined
  /** First byte. */
  readonly from: number
  /** First byte that is not read. Default: read to the end. */
  readonly until?: number
}

/** Undefined: the whole object. S3 refuses every range of an empty object, so `firstBytes` limits a read from the start. */
const rangeOf = ({ from, until }: Range): string | undefined =>
  from === 0 ? undefined : `bytes=${from}-${until === undefined ? '' : until - 1}`

async function* firstBytes(stream: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count
  for await (const part of stream) {
    yield part.subarray(0, left)
    left -= part.length
    if (left <= 0) return
  }
}

/** Reads a part of an object. Empty when the object has no such bytes. Undefined when the object or that version does not exist. */
export const getRange = async (key: string, range: Range): Promise<AsyncIterable<Uint8Array> | undefined> => {
  const { version, from, until } = range
  try {
    const { Body } = await bucketClient.send(
      new GetObjectCommand({ Bucket: setting('UPLOADS_BUCKET'), Key: key, VersionId: version, Range: rangeOf(range) }),
    )
    if (!(Body instanceof Readable)) throw new Error(`The object ${key} cannot be read as a stream.`)
    return from === 0 && until !== undefined ? firstBytes(Body, until) : Body
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error
    if (error.name === 'InvalidRange') return Readable.from([])
    if (NOT_THERE.includes(error.name)) return undefined
    throw error
  }
}

export interface FoundObject {
  /** Null if the bucket keeps no versions. */
  readonly version: string | null
  readonly etag: string | null
  /** Bytes. */
  readonly size: number
}

/** The latest version of an object. Undefined when the object does not exist. */
export const findObject = async (key: string): Promise<FoundObject | undefined> => {
  try {
    const found = await bucketClient.send(new HeadObjectCommand({ Bucket: setting('UPLOADS_BUCKET'), Key: key }))
    // A notification has the ETag without its quotes.
    return { version: found.VersionId ?? null, etag: found.ETag?.replaceAll('"', '') ?? null, size: found.ContentLength ?? 0 }
  } catch (error) {
    if (error instanceof S3ServiceException && error.name === 'NotFound') return undefined
    throw error
  }
}

/** Writes an object, and replaces an existing one. */
export const put = async (key: string, body: string | Uint8Array, contentType: string): Promise<void> => {
  const ContentLength = Buffer.byteLength(body)
  await bucketClient.send(
    new PutObjectCommand({ Bucket: setting('UPLOADS_BUCKET'), Key: key, Body: body, ContentLength, ContentType: contentType }),
  )
}
