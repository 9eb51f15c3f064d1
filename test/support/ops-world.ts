import { startBucketEngine } from './bucket-engine.ts'
import { duringSuite } from './during-suite.ts'
import { startOps } from './ops.ts'
import { startWorld } from './world.ts'

interface Setting {
  /** Starts an S3 engine too. */
  readonly withBucket?: boolean
  /** Runs before the first test. */
  readonly prepare?: (tool: Awaited<ReturnType<typeof startOps>>) => Promise<unknown>
}

/** The operator's tool, with a world for the suite. */
export const opsWorld = ({ withBucket = false, prepare }: Setting = {}) => {
  const parts = duringSuite(
    async () => {
      const world = await startWorld()
      const bucket = withBucket ? await startBucketEngine() : undefined
      const tool = await startOps()
      if (bucket) process.env['UPLOADS_BUCKET'] = 'uploads'
      await prepare?.(tool)
      return { world, bucket, tool }
    },
    async ({ world, bucket, tool }) => {
      await tool.stop()
      await bucket?.stop()
      await world.stop()
    },
  )
  return { world: () => parts().world, tool: () => parts().tool }
}
