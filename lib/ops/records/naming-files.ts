import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { isMentionedIn } from '#shared/erasure/rules/mention.ts'
import { getRange } from '#shared/platform/bucket/bucket.ts'
import { piecesAfter } from '#shared/platform/bucket/bucket-pieces.ts'
import { RECORDS } from './record-file.ts'

const isIn = async (key: string, mentions: RegExp): Promise<boolean> => {
  const stream = await getRange(key, { from: 0 })
  // The reader of the stream gets its errors.
  return (
    stream !== undefined &&
    isMentionedIn(
      mentions,
      pipeline(Readable.from(stream), createGunzip(), () => {}),
    )
  )
}

/** Keys of the files of records that hold a phone number. Reads every file. The law may demand these files, so an erasure keeps them. */
export const recordFilesNaming = async (mentions: RegExp): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of piecesAfter(RECORDS, '')) if (key.endsWith('.gz') && (await isIn(key, mentions))) keys.push(key)
  return keys
}
