import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { put } from '#shared/platform/bucket/bucket.ts'
import { beginMultipart, completeMultipart, putPart } from '#shared/platform/bucket/bucket-pieces.ts'
import { OpsRefusal } from '../refusal.ts'

/** Prefix of the keys of all files of records. */
export const RECORDS = 'records/'

/** Bytes of a part. 10,000 parts, the most of an object, are 80 GB. */
const PART = 8 * 1024 * 1024

const TYPE = 'application/gzip'

const lost = (key: string): OpsRefusal => new OpsRefusal(`Another process deleted the unfinished upload of ${key}. Run the command again.`)

/** An object that is written in parts. An object of one part is written at once. */
class PartedObject {
  readonly #key: string
  #multipart: string | undefined
  readonly #tags: string[] = []

  constructor(key: string) {
    this.#key = key
  }

  async add(part: Buffer): Promise<void> {
    this.#multipart ??= await beginMultipart(this.#key, TYPE)
    const tag = await putPart(this.#key, this.#multipart, this.#tags.length + 1, part)
    if (tag === undefined) throw lost(this.#key)
    this.#tags.push(tag)
  }

  async end(rest: Buffer): Promise<void> {
    if (this.#multipart === undefined) return put(this.#key, rest, TYPE)
    if (rest.length > 0) await this.add(rest)
    if (!(await completeMultipart(this.#key, this.#multipart, this.#tags))) throw lost(this.#key)
  }
}

export interface WrittenFile {
  /** Bytes of the compressed file. */
  readonly bytes: number
  /** Digest of the compressed file, in SHA-256. */
  readonly sha256: string
}

/** Writes text to the bucket, compressed by gzip. Memory holds one part. The same text makes the same bytes. */
export const writeGzip = async (key: string, text: Iterable<string>): Promise<WrittenFile> => {
  // The reader of the stream gets its errors.
  const bytes: AsyncIterable<Buffer> = pipeline(Readable.from(text), createGzip(), () => {})
  const hash = createHash('sha256')
  const object = new PartedObject(key)
  let [parts, size, total]: [Buffer[], number, number] = [[], 0, 0]
  for await (const chunk of bytes) {
    hash.update(chunk)
    total += chunk.length
    size += chunk.length
    parts.push(chunk)
    if (size < PART) continue
    await object.add(Buffer.concat(parts))
    ;[parts, size] = [[], 0]
  }
  await object.end(Buffer.concat(parts))
  return { bytes: total, sha256: hash.digest('hex') }
}
