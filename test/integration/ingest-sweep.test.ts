import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { now } from '#shared/platform/clock.ts'
import { uploadDueKey, uploadKey, uploadShardKey } from '#shared/platform/keys.ts'
import { inLanes } from '#shared/platform/lanes.ts'
import { putItem, updateItem } from '#shared/platform/table/table.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { sweepUploads } from '#shared/uploads/ingest/sweep-uploads.ts'
import { insertUpload, unfinishedPlacement } from '#shared/uploads/upload-store.ts'
import { noteObject } from '#shared/uploads/upload-work-store.ts'
import { setClock } from '#test/support/clock.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { uploadNow } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

const { world } = uploadWorld()

const queued = async (): Promise<unknown[]> => (await world().queues.take('INGESTION_QUEUE_URL')).map((text) => JSON.parse(text))

/** A new upload whose entry in the due index is in the first shard. */
const newUpload = (owner: number) => {
  let upload_id = randomUUID()
  while (uploadDueKey(upload_id) !== uploadShardKey(0)) upload_id = randomUUID()
  const object_key = `uploads/${owner}/theirs/${upload_id}/leads.csv`
  return { upload_id, owner, source: 'theirs', filename: 'leads.csv', object_key, created_time: now() }
}

const due = async (owner: number): Promise<string> => {
  const upload = newUpload(owner)
  await insertUpload(upload, now() + HOUR)
  await noteObject(await uploadNow(upload.upload_id), { version: null, etag: null, sequencer: null, size: 1 }, now())
  setClock(now() + SECOND)
  return upload.upload_id
}

const FILES = 5_001

describe('a sweep of uploads', () => {
  it('a sweep of uploads lets owners take turns', async () => {
    for (let files = 0; files < 6; files++) await due(OWNER)
    const theirs = await due(2)
    setClock(now() + 2 * MINUTE)
    await sweepUploads(4)
    const found = await queued()
    expect(found).toHaveLength(4)
    expect(found).toContainEqual({ upload_id: theirs })
    await sweepUploads(4)
    expect(await queued()).toHaveLength(3)
  })

  it('a sweep of uploads finds the file of an owner behind thousands of files of another owner', async () => {
    await inLanes(20, Array(FILES).keys(), async () => {
      const upload = newUpload(3)
      const more = { status: 'processing', expires_at: (now() + DAY) / SECOND, ...unfinishedPlacement(upload, now()) }
      await putItem({ ...uploadKey(upload.upload_id), ...upload, ...more })
    })
    const theirs = await due(4)
    setClock(now() + 2 * MINUTE)
    await dispatchDue()
    expect(await queued()).toContainEqual({ upload_id: theirs })
  })

  it('a sweep of uploads sends the others when one of them cannot be read, and fails then', async () => {
    const malformed = await due(OWNER)
    await updateItem(uploadKey(malformed), { UpdateExpression: 'SET created_time = :none', ExpressionAttributeValues: { ':none': 'none' } })
    const other = await due(2)
    setClock(now() + 10 * MINUTE)
    await expect(sweepUploads(100)).rejects.toThrow('Expected number but received "none"')
    expect(JSON.stringify(await queued())).toContain(other)
  })
})
