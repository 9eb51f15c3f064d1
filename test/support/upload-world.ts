import { startBucketEngine } from './bucket-engine.ts'
import { duringSuite } from './during-suite.ts'
import { aSource, watchCommands } from './uploads.ts'
import { startWorld } from './world.ts'

/** Starts a world with a bucket and upload sources before the suite, and stops it afterwards. Default: the source `demo`. */
export const uploadWorld = (...sources: NonNullable<Parameters<typeof aSource>[0]>[]) => {
  const parts = duringSuite(
    async () => {
      const [world, bucket] = await Promise.all([startWorld(), startBucketEngine()])
      const watch = watchCommands()
      for (const source of sources.length === 0 ? [{}] : sources) await aSource(source)
      return { world, bucket, watch }
    },
    async ({ world, bucket, watch }) => {
      watch.stop()
      await Promise.all([world.stop(), bucket.stop()])
    },
  )
  return { world: () => parts().world, bucket: () => parts().bucket, watch: () => parts().watch }
}
