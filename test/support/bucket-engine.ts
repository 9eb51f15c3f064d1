import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BucketEngine, startBuckets } from '#lib/local/engines/buckets.ts'
import { CREDENTIALS, REGION } from '#lib/local/engines/engine.ts'
import { getRange } from '#shared/platform/bucket/bucket.ts'

/** Starts an S3 engine with the uploads bucket, and points the environment of this process to it. */
export const startBucketEngine = async (): Promise<BucketEngine> => {
  const directory = await mkdtemp(join(tmpdir(), 'buckets-'))
  const engine = await startBuckets(directory)
  await engine.createBuckets([{ name: 'uploads', pageMethods: [], notifications: [] }])
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

/** Reads part of an object as text. @returns undefined when the object does not exist */
export const textOf = async (key: string, range: Parameters<typeof getRange>[1] = { from: 0 }): Promise<string | undefined> => {
  const stream = await getRange(key, range)
  if (!stream) return undefined
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString()
}
