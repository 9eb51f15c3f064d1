import { type Key, keyPart, shardOf } from './key.ts'

export const uploadKey = (upload: string): Key => ({ pk: `UPLOAD#${upload}`, sk: 'UPLOAD' })

/** @throws Error when the key is not an upload's. */
export const parseUploadPk = (pk: string): string => keyPart(pk, /^UPLOAD#(.+)$/, 'an upload')

/** Number of partitions of the due index for uploads that are not done. */
export const UPLOAD_SHARDS = 4

export const uploadShardKey = (shard: number): string => `UPLOAD#${shard}`
/** Partition of the due index for an upload, until it is done. */
export const uploadDueKey = (upload: string): string => uploadShardKey(shardOf(upload, UPLOAD_SHARDS))
