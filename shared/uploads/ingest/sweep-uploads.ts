import { findObject, URL_LIFETIME } from '../../platform/bucket/bucket.ts'
import { now } from '../../platform/clock.ts'
import { MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { fileKeyOf, type Upload } from '../upload.ts'
import { type DueUpload, dueUploads, getUpload, giveUpUpload, postponeUpload } from '../upload-store.ts'
import { noteObject } from '../upload-work-store.ts'
import { sendOn } from './send-on.ts'

const NOT_SENT = 'No file was sent before the URL for it expired, an hour after it was made.'

/** The bucket's notification may have been lost while the file is there. */
const findFile = async (upload: Upload, at: Instant): Promise<void> => {
  const found = await findObject(fileKeyOf(upload))
  if (!found) return giveUpUpload(upload.upload_id, NOT_SENT, at)
  if (await noteObject(upload, { ...found, sequencer: null }, at)) await sendOn([upload])
}

const lookAt = async (due: DueUpload): Promise<void> => {
  const at = now()
  const upload = await getUpload(due.upload_id, at)
  if (upload?.status === 'waiting' && upload.created_time + URL_LIFETIME <= at) return findFile(upload, at)
  if (upload?.status !== 'processing') return
  await sendOn([{ ...upload, lane: due.lane }])
  await postponeUpload(due, upload.owner, at + MINUTE)
}

/**
 * Checks the uploads of a shard (see UPLOAD_SHARDS) that nobody works on. Sends them on, or gives up those whose file is not in the bucket.
 */
export const sweepUploads = async (shard: number, limit: number): Promise<void> => {
  const due = await dueUploads(shard, now(), limit)
  await Promise.all(due.map(lookAt))
}
