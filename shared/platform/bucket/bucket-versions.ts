import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { setting } from '../environment.ts'
import { bucketClient } from './bucket.ts'
import { piecesAfter } from './bucket-pieces.ts'

/** For the operator's tool: lists everything in a bucket, including replaced and deleted versions that the bucket still keeps. */

export interface ObjectVersion {
  readonly key: string
  /** Undefined if the bucket keeps no versions. */
  readonly version: string | undefined
  readonly isLatest: boolean
  /** A delete marker: it has no bytes. */
  readonly isMark: boolean
}

type Listed = readonly ObjectVersion[]

async function* plainObjects(prefix: string): AsyncGenerator<Listed> {
  for await (const { key } of piecesAfter(prefix, '')) yield [{ key, version: undefined, isLatest: true, isMark: false }]
}

const listedIn = ({ Versions = [], DeleteMarkers = [] }: ListObjectVersionsCommandOutput): Listed => [
  ...Versions.flatMap(({ Key, VersionId, IsLatest = false }) =>
    Key ? [{ key: Key, version: VersionId, isLatest: IsLatest, isMark: false }] : [],
  ),
  ...DeleteMarkers.flatMap(({ Key, VersionId, IsLatest = false }) =>
    Key ? [{ key: Key, version: VersionId, isLatest: IsLatest, isMark: true }] : [],
  ),
]

const isWithoutVersions = (error: unknown): boolean =>
  error instanceof S3ServiceException && ['NotImplemented', 'MethodNotAllowed'].includes(error.name)

/** Yields one page at a time. */
export async function* objectVersions(prefix: string): AsyncGenerator<Listed> {
  let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {}
  for (;;) {
    let page: ListObjectVersionsCommandOutput
    try {
      page = await bucketClient.send(new ListObjectVersionsCommand({ Bucket: setting('UPLOADS_BUCKET'), Prefix: prefix, ...next }))
    } catch (error) {
      if (!isWithoutVersions(error)) throw error
      yield* plainObjects(prefix)
      return
    }
    yield listedIn(page)
    if (!page.IsTruncated) return
    next = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
  }
}

/** Removes one version of an object for good. */
export const removeVersion = async ({ key, version }: ObjectVersion): Promise<void> => {
  await bucketClient.send(new DeleteObjectCommand({ Bucket: setting('UPLOADS_BUCKET'), Key: key, VersionId: version }))
}
