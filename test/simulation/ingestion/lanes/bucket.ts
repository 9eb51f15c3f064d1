import { Readable } from 'node:stream'

/** A request to the bucket. Only the parts that the reader of files uses. */
interface BucketRequest {
  readonly Key?: string
  readonly Range?: string
  readonly Body?: string | Uint8Array
  readonly Prefix?: string
  readonly Marker?: string
  readonly MaxKeys?: number
}

export interface BucketCommand {
  readonly constructor: { readonly name: string }
  readonly input: BucketRequest
}

export interface Bucket {
  readonly objects: Map<string, Buffer>
  /** @param streamed makes the body of an answer */
  answer(command: BucketCommand, streamed: (key: string, bytes: Buffer) => AsyncIterable<Uint8Array>): unknown
}

/** A bucket in memory. Parts of large objects are not needed: the report of a million rows fits into one. */
export const bucketInMemory = (): Bucket => {
  const objects = new Map<string, Buffer>()
  return {
    objects,
    answer: ({ constructor: { name }, input }, streamed) => {
      const { Key = '', Range = '', Body = '', Prefix = '', Marker = '', MaxKeys = 1000 } = input
      switch (name) {
        case 'PutObjectCommand':
          objects.set(Key, Buffer.from(Body))
          return {}
        case 'GetObjectCommand': {
          const [, from = 0, last] = /^bytes=(\d+)-(\d*)$/.exec(Range) ?? []
          const bytes = objects.get(Key)?.subarray(Number(from), last ? Number(last) + 1 : undefined)
          if (!bytes) throw new Error(`There is no object ${Key}.`)
          return { Body: Readable.from(streamed(Key, bytes)) }
        }
        case 'ListObjectsCommand': {
          const keys = [...objects.keys()].filter((key) => key.startsWith(Prefix) && key > Marker).sort()
          const Contents = keys.slice(0, MaxKeys).map((key) => ({ Key: key, Size: objects.get(key)?.length }))
          return { Contents, IsTruncated: keys.length > MaxKeys }
        }
        default:
          throw new Error(`The bucket in memory does not know ${name}.`)
      }
    },
  }
}
