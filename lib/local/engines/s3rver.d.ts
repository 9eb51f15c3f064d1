declare module 's3rver' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:http'
  import type { AddressInfo } from 'node:net'

  interface Options {
    readonly address: string
    readonly port: number
    readonly directory: string
    readonly silent: boolean
    readonly vhostBuckets: boolean
  }

  /** Emits `event` with an S3 event message for each object put, copied or deleted. */
  export default class S3rver extends EventEmitter {
    constructor(options: Options)
    readonly httpServer: Server
    readonly store: { putBucket(name: string): Promise<unknown> }
    run(): Promise<AddressInfo>
  }
}
