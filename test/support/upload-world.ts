import { afterAll, beforeAll } from '@jest/globals'
import type { BucketEngine } from '#lib/local/engines/buckets.ts'
import { startBucketEngine } from './bucket-engine.ts'
import { aSource, watchCommands } from './uploads.ts'
import { startWorld } from './world.ts'

interface UploadWorld {
  readonly world: Awaited<ReturnType<typeof startWorld>>
  readonly bucket: BucketEngine
  readonly watch: ReturnType<typeof watchCommands>
}

/** A world with a bucket and sources of files, for a suite: started before its tests, and stopped after them. Default: the source `demo`. */
export const uploadWorld = (...sources: NonNullable<Parameters<typeof aSource>[0]>[]) => {
  let started: UploadWorld | undefined
  const part = (): UploadWorld => {
    if (started === undefined) throw new Error('The world is not started.')
    return started
  }
  beforeAll(async () => {
    const [world, bucket] = await Promise.all([startWorld(), startBucketEngine()])
    started = { world, bucket, watch: watchCommands() }
    for (const source of sources.length === 0 ? [{}] : sources) await aSource(source)
  })
  afterAll(async () => {
    started?.watch.stop()
    await Promise.all([started?.world.stop(), started?.bucket.stop()])
  })
  return { world: () => part().world, bucket: () => part().bucket, watch: () => part().watch }
}
