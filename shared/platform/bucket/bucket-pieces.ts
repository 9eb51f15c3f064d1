import { buffer } from 'node:stream/consumers'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListObjectsCommand,
  NoSuchUpload,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { setting } from '../environment.ts'
import { bucketClient, getRange } from './bucket.ts'

const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`The bucket's answer has no ${what}.`)
  return value
}

export interface Piece {
  readonly key: string
  /** Bytes. */
  readonly size: number
}

/**
 * Objects with a prefix, after a key, in key order. Uses version 1 of the list request: the local bucket cannot build the continuation
 * token of version 2.
 */
export async function* piecesAfter(prefix: string, behind: string): AsyncGenerator<Piece> {
  for (let after = behind, isMore = true; isMore; ) {
    const { Contents = [], IsTruncated = false } = await bucketClient.send(
      new ListObjectsCommand({ Bucket: setting('UPLOADS_BUCKET'), Prefix: prefix, Marker: after }),
    )
    for (const { Key: key, Size: size = 0 } of Contents) {
      if (key === undefined) continue
      yield { key, size }
      after = key
    }
    isMore = IsTruncated
  }
}

/** Reads a whole small object. Empty when there is none. */
export const getPiece = async (key: string): Promise<Buffer> => {
  const stream = await getRange(key, { from: 0 })
  return stream ? buffer(stream) : Buffer.alloc(0)
}

/** @returns the id of the multipart upload */
export const beginMultipart = async (key: string, contentType: string): Promise<string> => {
  const { UploadId } = await bucketClient.send(
    new CreateMultipartUploadCommand({ Bucket: setting('UPLOADS_BUCKET'), Key: key, ContentType: contentType }),
  )
  return required(UploadId, 'multipart upload')
}

const isGone = (error: unknown): boolean => error instanceof NoSuchUpload || (error instanceof Error && error.name === 'NoSuchUpload')

/** @param number of the part, from 1 @returns the part's tag; undefined when the multipart upload no longer exists */
export const putPart = async (key: string, multipart: string, number: number, body: Buffer): Promise<string | undefined> => {
  try {
    const { ETag } = await bucketClient.send(
      new UploadPartCommand({
        ...{ Bucket: setting('UPLOADS_BUCKET'), Key: key, UploadId: multipart, PartNumber: number },
        ...{ Body: body, ContentLength: body.length },
      }),
    )
    return required(ETag, 'tag of a part')
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** @returns false when the multipart upload no longer exists: it was completed before, or the bucket gave it up */
export const completeMultipart = async (key: string, multipart: string, etags: readonly string[]): Promise<boolean> => {
  const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
  try {
    await bucketClient.send(
      new CompleteMultipartUploadCommand({
        ...{ Bucket: setting('UPLOADS_BUCKET'), Key: key, UploadId: multipart, MultipartUpload: { Parts } },
      }),
    )
    return true
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
}
