import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Files, S3Object, Written } from 's3rver'

/** Most file systems take no longer name, and the engine keeps an object in files whose names are up to 22 bytes longer than its own. */
const MOST_BYTES = 255 - '._S3rver_metadata.json'.length

/** S3's answer to a key that is too long, as the engine passes it on. */
const keyTooLong = (): Error =>
  Object.assign(new Error(`A part of the key is longer than the ${MOST_BYTES} bytes that the local bucket can keep.`), {
    status: 400,
    expose: true,
  })

/** Appears under its name when it is complete: an upload that broke off, or could not be written, leaves nothing. */
const writeWhole = async (file: string, content: Buffer | Readable): Promise<Written> => {
  const unfinished = join(dirname(file), randomUUID())
  const md5 = createHash('md5')
  let size = 0
  const counted = new Transform({
    transform(chunk, _encoding, done) {
      md5.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  await mkdir(dirname(file), { recursive: true })
  try {
    await pipeline(content instanceof Readable ? content : Readable.from([content]), counted, createWriteStream(unfinished))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return { size, md5: md5.digest('hex') }
}

/**
 * Has the engine write files so that a failure fails the request. By itself it listens to no error of the streams that it writes to, and
 * reads parts from, and each of them would end the process.
 */
export const writeSafely = (files: S3Files): void => {
  const putParts = files.putObjectMultipart.bind(files)
  const partOf = (bucket: string, uploadId: string, part: number) =>
    join(files.getResourcePath(bucket, undefined, 'uploads'), uploadId, `${part}`)
  const checkKey = (key: string): void => {
    if (key.split('/').some((part) => Buffer.byteLength(part) > MOST_BYTES)) throw keyTooLong()
  }
  const initiate = files.initiateUpload.bind(files)

  files.putObject = async ({ bucket, key, content, metadata }: S3Object): Promise<Written> => {
    checkKey(key)
    const written = await writeWhole(files.getResourcePath(bucket, key, 'object'), content)
    await files.putMetadata(bucket, key, metadata, written.md5)
    return written
  }
  files.initiateUpload = async (bucket, key, uploadId, metadata) => {
    checkKey(key)
    await initiate(bucket, key, uploadId, metadata)
  }
  files.putPart = async (bucket, uploadId, part, content) => {
    const file = partOf(bucket, uploadId, part)
    const written = await writeWhole(file, content)
    await writeFile(`${file}.md5`, written.md5)
    return written
  }
  files.putObjectMultipart = async (bucket, uploadId, parts) => {
    await Promise.all(parts.map(({ number }) => access(partOf(bucket, uploadId, number))))
    return putParts(bucket, uploadId, parts)
  }
}
