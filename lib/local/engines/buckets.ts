import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { S3Files, S3Object, Written } from 's3rver'
import S3rver from 's3rver'
import type { BucketSpec } from '../model.ts'
import { keptPort } from '../processes/ports.ts'
import { type Engine, LOOPBACK } from './engine.ts'
import { closeServer } from './http-server.ts'
import { replaceFile } from './kept-texts.ts'

/** Bytes. Most file systems allow names of 255 bytes. The engine adds a suffix of up to 22 bytes to its own file names. */
const MOST_BYTES = 255 - '._S3rver_metadata.json'.length

/** The engine answers this error as S3 answers a key that is too long. */
const keyTooLong = (): Error =>
  Object.assign(new Error(`A part of the key is longer than ${MOST_BYTES} bytes, the limit of the local bucket.`), {
    status: 400,
    expose: true,
  })

/** Writes to a temporary name and renames at the end. A broken upload or a failed write leaves no file. */
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
 * Makes a failed write fail its request. The engine itself has no error listener on the streams that it writes or reads parts from. There,
 * each error would end the process.
 */
const writeSafely = (files: S3Files): void => {
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

export interface BucketEngine extends Engine {
  createBuckets(buckets: readonly BucketSpec[]): Promise<void>
  /** Calls the listener with the S3 event message of each object that is put, copied or deleted. */
  onObjectEvent(listener: (message: unknown) => void): void
}

/**
 * On AWS, the rules of a bucket name the address of the service. Here, the service has any loopback address and port.
 */
const accessOfPages = (methods: readonly string[]): string => {
  const origins = [LOOPBACK, 'localhost'].map((host) => `<AllowedOrigin>http://${host}:*</AllowedOrigin>`)
  const allowed = methods.map((method) => `<AllowedMethod>${method}</AllowedMethod>`)
  return `<CORSConfiguration><CORSRule>${[...origins, ...allowed].join('')}</CORSRule></CORSConfiguration>`
}

/**
 * Starts the engine. It stores objects as files in `directory`. `portFile` keeps its port between starts: an open console may send files only
 * to the address that was known when its page was loaded.
 */
export const startBuckets = async (directory: string, portFile?: string): Promise<BucketEngine> => {
  await mkdir(directory, { recursive: true })
  const wanted = portFile === undefined ? 0 : await keptPort(portFile)
  const engine = new S3rver({ address: LOOPBACK, port: wanted, directory, silent: true, vhostBuckets: false })
  writeSafely(engine.store)
  const { port } = await engine.run()
  if (portFile !== undefined && port !== wanted) await replaceFile(portFile, `${port}`)
  return {
    url: `http://${LOOPBACK}:${port}`,
    async createBuckets(buckets) {
      const create = async ({ name, pageMethods }: BucketSpec): Promise<void> => {
        await engine.store.putBucket(name)
        if (pageMethods.length > 0)
          await engine.store.putSubresource(name, undefined, { type: 'cors', toXML: () => accessOfPages(pageMethods) })
      }
      await Promise.all(buckets.map(create))
    },
    onObjectEvent: (listener) => void engine.on('event', listener),
    stop: () => closeServer(engine.httpServer),
  }
}
