import { mkdir } from 'node:fs/promises'
import S3rver from 's3rver'
import type { BucketSpec } from '../model.ts'
import { LOOPBACK } from './access.ts'
import { writeSafely } from './bucket-files.ts'
import type { Engine } from './engine.ts'
import { closeServer } from './http-server.ts'

export interface BucketEngine extends Engine {
  createBuckets(buckets: readonly BucketSpec[]): Promise<void>
  /** Calls the listener with the S3 event message of each object that is put, copied or deleted. */
  onObjectEvent(listener: (message: unknown) => void): void
}

/** Starts the engine. It stores objects as files in `directory`. */
export const startBuckets = async (directory: string): Promise<BucketEngine> => {
  await mkdir(directory, { recursive: true })
  const engine = new S3rver({ address: LOOPBACK, port: 0, directory, silent: true, vhostBuckets: false })
  writeSafely(engine.store)
  const { port } = await engine.run()
  return {
    url: `http://${LOOPBACK}:${port}`,
    async createBuckets(buckets) {
      await Promise.all(buckets.map((bucket) => engine.store.putBucket(bucket.name)))
    },
    onObjectEvent: (listener) => void engine.on('event', listener),
    stop: () => closeServer(engine.httpServer),
  }
}
