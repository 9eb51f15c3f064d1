import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CREDENTIALS, REGION } from '#lib/local/engines/access.ts'
import { type BucketEngine, startBuckets } from '#lib/local/engines/buckets.ts'

/** An S3 engine of its own with the bucket of uploads; the environment of this process points to it. */
export const startBucketEngine = async (): Promise<BucketEngine> => {
  const directory = await mkdtemp(join(tmpdir(), 'buckets-'))
  const engine = await startBuckets(directory)
  await engine.createBuckets([{ name: 'uploads', notifications: [] }])
  Object.assign(process.env, {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_ENDPOINT_URL_S3: engine.url,
    UPLOADS_BUCKET: 'uploads',
  })
  const stop = async () => {
    await engine.stop()
    await rm(directory, { recursive: true, force: true })
  }
  return { ...engine, stop }
}
