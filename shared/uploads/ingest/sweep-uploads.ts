import { inTurns, ownerOf } from '../../backlog/rules/turns.ts'
import { findObject, URL_LIFETIME } from '../../platform/bucket/bucket.ts'
import { now } from '../../platform/clock.ts'
import { MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { MOST_LANES } from '../rules/lanes.ts'
import { fileKeyOf, type Upload } from '../upload.ts'
import { type DueUpload, dueUploads, getUpload, giveUpUpload, postponeUpload } from '../upload-store.ts'
import { noteObject } from '../upload-work-store.ts'
import { sendOn } from './send-on.ts'

const NOT_SENT = 'No file was sent before the URL for it expired, an hour after it was made. Request a new URL and send the file again.'

/** The bucket's notification may have been lost while the file is there. @returns whether the file must be read */
const findFile = async (upload: Upload, at: Instant): Promise<boolean> => {
  const found = await findObject(fileKeyOf(upload))
  if (found) return noteObject(upload, { ...found, sequencer: null }, at)
  await giveUpUpload(upload.upload_id, NOT_SENT, at)
  return false
}

/** @returns whether a run must work on the upload or its lanes */
const isToDo = async (id: string): Promise<boolean> => {
  const at = now()
  const upload = await getUpload(id, at)
  const isLate = upload?.status === 'waiting' && upload.created_time + URL_LIFETIME <= at
  return isLate ? findFile(upload, at) : upload?.status === 'processing'
}

/** As many series as may be read at the same time. The parts that wait longest are the first of the series. */
const seriesOf = (parts: readonly DueUpload[]): DueUpload[][] =>
  Array.from({ length: MOST_LANES }, (_, series) => parts.filter((_part, index) => index % MOST_LANES === series))

/**
 * Checks `limit` uploads and lanes that nobody works on. Sends them on, or gives up those whose file is not in the bucket. Owners take turns:
 * the many files of one owner do not delay those of the others.
 */
export const sweepUploads = async (limit: number): Promise<void> => {
  const due = inTurns(await dueUploads(now(), limit), limit, ownerOf).slice(0, limit)
  const uploads = [...new Set(due.map(({ upload_id }) => upload_id))]
  const looked = await Promise.allSettled(uploads.map(async (id) => ((await isToDo(id)) ? id : undefined)))
  const ids = new Set(looked.flatMap((one) => (one.status === 'fulfilled' && one.value !== undefined ? one.value : [])))
  const toDo = due.filter(({ upload_id }) => ids.has(upload_id))
  const byOwner = Map.groupBy(toDo, ownerOf)
  await sendOn([...byOwner.values()].flatMap(seriesOf))
  await Promise.all(toDo.map((part) => postponeUpload(part, now() + MINUTE)))
  // Thrown last: an upload that cannot be looked at must not delay the others.
  for (const one of looked) if (one.status === 'rejected') throw one.reason
}
