import { inTurns } from '../../backlog/rules/turns.ts'
import { findObject, URL_LIFETIME } from '../../platform/bucket/bucket.ts'
import { now } from '../../platform/clock.ts'
import { parseDueAt } from '../../platform/keys.ts'
import { MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { fileKeyOf, type Upload } from '../upload.ts'
import { type DueUpload, dueUploads, getUpload, giveUpUpload, postponeUpload } from '../upload-store.ts'
import { noteObject } from '../upload-work-store.ts'
import { type Part, sendOn, TRIES_FOR_SLOT } from './send-on.ts'

const NOT_SENT = 'No file was sent before the URL for it expired, an hour after it was made. Request a new URL and send the file again.'

/** The bucket's notification may have been lost while the file is there. @returns whether the file must be read */
const findFile = async (upload: Upload, at: Instant): Promise<boolean> => {
  const found = await findObject(fileKeyOf(upload))
  if (found) return noteObject(upload, { ...found, sequencer: null }, at)
  await giveUpUpload(upload.upload_id, NOT_SENT, at)
  return false
}

/** @returns the upload or lane, if a run must work on it */
const lookAt = async (due: DueUpload): Promise<readonly (DueUpload & Part)[]> => {
  const at = now()
  const upload = await getUpload(due.upload_id, at)
  const isLate = upload?.status === 'waiting' && upload.created_time + URL_LIFETIME <= at
  const isToDo = isLate ? await findFile(upload, at) : upload?.status === 'processing'
  return upload && isToDo ? [{ ...due, owner: upload.owner }] : []
}

/** Number of due uploads that are read, so that owners can take turns. */
const READ = 5_000

/**
 * Checks the uploads of a shard (see UPLOAD_SHARDS) that nobody works on. Sends them on, or gives up those whose file is not in the bucket.
 * Owners take turns: the many files of one owner do not delay those of the others.
 */
export const sweepUploads = async (shard: number, limit: number): Promise<void> => {
  const all = await dueUploads(shard, now(), READ)
  const due = inTurns(all, limit, ({ place }) => parseDueAt(place).owner).slice(0, limit)
  const looked = await Promise.allSettled(due.map(lookAt))
  const parts = looked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  await sendOn(parts, { tries: TRIES_FOR_SLOT, delaySeconds: 0 })
  await Promise.all(parts.map((part) => postponeUpload(part, part.owner, now() + MINUTE)))
  // Thrown last: an upload that cannot be looked at must not delay the others.
  for (const one of looked) if (one.status === 'rejected') throw one.reason
}
