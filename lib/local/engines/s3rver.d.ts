declare module 's3rver' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:http'
  import type { AddressInfo } from 'node:net'
  import type { Readable } from 'node:stream'

  interface Options {
    readonly address: string
    readonly port: number
    readonly directory: string
    readonly silent: boolean
    readonly vhostBuckets: boolean
  }

  export interface Written {
    readonly size: number
    readonly md5: string
  }

  export interface S3Object {
    readonly bucket: string
    readonly key: string
    readonly content: Buffer | Readable
    readonly metadata: object
  }

  /** Where the engine keeps its objects. */
  export interface S3Files {
    putBucket(name: string): Promise<unknown>
    /** Stores a part of the configuration of a bucket. */
    putSubresource(bucket: string, key: undefined, part: { readonly type: 'cors'; readonly toXML: () => string }): Promise<unknown>
    getResourcePath(bucket: string, key: string | undefined, resource: string): string
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
    putObject(object: S3Object): Promise<Written>
    initiateUpload(bucket: string, key: string, uploadId: string, metadata: object): Promise<void>
    putPart(bucket: string, uploadId: string, part: number, content: Readable): Promise<Written>
    putObjectMultipart(bucket: string, uploadId: string, parts: readonly { readonly number: number }[]): Promise<Written>
  }

  /** Emits `event` with an S3 event message for each object put, copied or deleted. */
  export default class S3rver extends EventEmitter {
    constructor(options: Options)
    readonly httpServer: Server
    readonly store: S3Files
    run(): Promise<AddressInfo>
  }
}
