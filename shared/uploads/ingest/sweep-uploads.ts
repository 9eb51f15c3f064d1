import { inTurns, ownerOf } from '../../backlog/rules/turns.ts'
import { findObject, URL_LIFETIME } from '../../platform/bucket/bucket.ts'
import { now } from '../../platform/clock.ts'
import { HOUR, MINUTE } from '../../platform/values/durations.ts'
import type { Instant } from '../../platform/values/values.ts'
import { MOST_LANES } from '../rules/lanes.ts'
import { fileKeyOf, type Upload } from '../upload.ts'
import { type DueUpload, dueUploads, getUpload, giveUpUpload, postponeUpload } from '../upload-store.ts'
import { noteObject } from '../upload-work-store.ts'
import { sendOn } from './send-on.ts'

/** A large file on a slow line takes hours. Its request only has to begin while the URL is valid. */
const LONGEST_SENDING = 12 * HOUR
/** The time between two looks for a file that has not arrived. */
const LOOK_AGAIN = 4 * HOUR
const NOT_ARRIVED =
  'No file has arrived. The URL for it expired an hour after it was made, and half a day has passed since. Request a new URL and send the file again.'

/** `read`: a run must work on the upload or its lanes. `missing`: its file may still arrive. `none`: there is nothing to do now. */
type Found = 'read' | 'missing' | 'none'

/** The bucket's notification may have been lost while the file is there. */
const findFile = async (upload: Upload, at: Instant): Promise<Found> => {
  const found = await findObject(fileKeyOf(upload))
  if (found) return (await noteObject(upload, { ...found, sequencer: null }, at)) ? 'read' : 'none'
  if (at < upload.created_time + URL_LIFETIME + LONGEST_SENDING) return 'missing'
  await giveUpUpload(upload.upload_id, NOT_ARRIVED, at)
  return 'none'
}

const look = async (id: string): Promise<Found> => {
  const at = now()
  const upload = await getUpload(id, at)
  const isLate = upload?.status === 'waiting' && upload.created_time + URL_LIFETIME <= at
  if (isLate) return findFile(upload, at)
  return upload?.status === 'processing' ? 'read' : 'none'
}

/** As many series as may be read at the same time. The parts that wait longest are the first of the series. */
const seriesOf = (parts: readonly DueUpload[]): DueUpload[][] =>
  Array.from({ length: MOST_LANES }, (_, series) => parts.filter((_part, index) => index % MOST_LANES === series))

/**
 * Checks `limit` uploads and lanes that nobody works on. Sends them on, or gives up those whose file never arrived. Owners take turns: the
 * many files of one owner do not delay those of the others.
 */
export const sweepUploads = async (limit: number): Promise<void> => {
  const due = inTurns(await dueUploads(now(), limit), limit, ownerOf).slice(0, limit)
  const uploads = [...new Set(due.map(({ upload_id }) => upload_id))]
  const looked = await Promise.allSettled(uploads.map(async (id) => ({ id, found: await look(id) })))
  const found = new Map(looked.flatMap((one) => (one.status === 'fulfilled' ? [[one.value.id, one.value.found]] : [])))
  const parts = (result: Found): DueUpload[] => due.filter(({ upload_id }) => found.get(upload_id) === result)
  const toDo = parts('read')
  const byOwner = Map.groupBy(toDo, ownerOf)
  await sendOn([...byOwner.values()].flatMap(seriesOf))
  await Promise.all([
    ...toDo.map((part) => postponeUpload(part, now() + MINUTE)),
    ...parts('missing').map((part) => postponeUpload(part, now() + LOOK_AGAIN)),
  ])
  // Thrown last: an upload that cannot be looked at must not delay the others.
  for (const one of looked) if (one.status === 'rejected') throw one.reason
}
