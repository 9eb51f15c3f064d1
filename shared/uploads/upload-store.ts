import { duePages, type Entry } from '../backlog/due.ts'
import { addedUp } from '../calling/rules/preview.ts'
import {
  dueAt,
  type Placement,
  parseDueAt,
  parseUploadPk,
  parseUploadSk,
  UPLOAD_SHARDS,
  uploadDueKey,
  uploadKey,
  uploadListKey,
  uploadPk,
  uploadShardKey,
} from '../platform/keys.ts'
import { expiresAt, isKept } from '../platform/table/expiry.ts'
import { getItem, ifConditionHolds, partitionItems, putItem, updateItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { COUNT_NAMES, firstWarned, HELD_BY_LANES, Upload } from './upload.ts'

/** Milliseconds. How long an upload is kept after its URL was made. */
export const UPLOAD_KEPT = 90 * DAY

/** The fields of an upload before its file has arrived. */
export type NewUpload = Pick<Upload, 'upload_id' | 'owner' | 'source' | 'filename' | 'object_key' | 'created_time'> &
  Partial<Pick<Upload, 'dry_run' | 'staff'>>

/** The sweep checks an unfinished upload at `due`. */
export const unfinishedPlacement = ({ upload_id, owner }: Pick<Upload, 'upload_id' | 'owner'>, due: Instant): Placement => ({
  due_key: uploadDueKey(upload_id),
  due_at: dueAt(due, 0, owner),
})

export const uploadPlacement = (upload: Upload, due: Instant): Placement | undefined =>
  upload.status === 'waiting' || upload.status === 'processing' ? unfinishedPlacement(upload, due) : undefined

/** Stores a new upload, in the list of its owner. From `due` on, the due index lists it as an upload whose file has not arrived. */
export const insertUpload = async (upload: NewUpload, due: Instant): Promise<void> => {
  await putItem({
    ...uploadKey(upload.upload_id),
    ...upload,
    status: 'waiting',
    expires_at: expiresAt(upload.created_time, UPLOAD_KEPT),
    owner_block: uploadListKey(upload.owner),
    position: upload.created_time,
    ...unfinishedPlacement(upload, due),
  })
}

/** Strongly consistent. Undefined also when the upload has expired by `at`, even if the table still holds it. */
export const getUpload = async (id: string, at: Instant): Promise<Upload | undefined> => {
  const upload = await getItem(Upload, uploadKey(id))
  return upload && isKept(upload, at) ? upload : undefined
}

/** An upload with the counts of its lanes together. */
const withSums = (upload: Upload, lanes: readonly Upload[]): Upload => {
  const sums = COUNT_NAMES.map((name) => [name, lanes.reduce((sum, lane) => sum + lane[name], 0)])
  const preview = upload.dry_run ? addedUp(lanes.flatMap((lane) => lane.preview ?? [])) : null
  return { ...upload, ...Object.fromEntries(sums), preview, warned_lines: firstWarned(lanes.map((lane) => lane.warned_lines)) }
}

/** An upload with its lanes, in their order. While they read, its counts are their sums. */
export interface WholeUpload {
  readonly upload: Upload
  readonly lanes: readonly Upload[]
}

/** Like `getUpload`, with the lanes, in one query. */
export const getWhole = async (id: string, at: Instant): Promise<WholeUpload | undefined> => {
  const items = await partitionItems(Upload, uploadPk(id))
  const upload = items.find(({ lane }) => lane === 0)
  if (!upload || !isKept(upload, at)) return undefined
  const { dialect, pinned, plan, object } = upload
  const lanes = items.filter(({ lane }) => lane > 0).map((lane) => ({ ...lane, dialect, pinned, plan, object }))
  return { upload: upload.lease_token === HELD_BY_LANES ? withSums(upload, lanes) : upload, lanes }
}

/** An unfinished upload or lane, and its sort key in the due index. */
export interface DueUpload {
  readonly upload_id: string
  readonly lane: number
  readonly owner: number
  readonly place: string
}

const dueUpload = ({ pk, sk, due_at }: Entry): DueUpload => ({
  ...{ upload_id: parseUploadPk(pk), lane: parseUploadSk(sk) },
  ...{ owner: parseDueAt(due_at).owner, place: due_at },
})

/** Uploads and lanes that are due by `until`, the longest waiting first. At most `most` per owner: the files of one owner hide no others. */
export const dueUploads = async (until: Instant, most: number): Promise<DueUpload[]> => {
  const shards = Array.from({ length: UPLOAD_SHARDS }, async (_, shard) => {
    const found: DueUpload[] = []
    const counts = new Map<number, number>()
    for await (const page of duePages(uploadShardKey(shard), 0, until)) {
      for (const due of page.map(dueUpload)) {
        const count = counts.get(due.owner) ?? 0
        if (count < most) found.push(due)
        counts.set(due.owner, count + 1)
      }
    }
    return found
  })
  return (await Promise.all(shards)).flat().sort((a, b) => (a.place < b.place ? -1 : 1))
}

/** Sets when to check an upload again, unless another run has changed that. */
export const postponeUpload = async ({ upload_id, lane, owner, place }: DueUpload, due: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(uploadKey(upload_id, lane), {
      UpdateExpression: 'SET due_at = :due',
      ConditionExpression: 'due_at = :place',
      ExpressionAttributeValues: { ':due': dueAt(due, 0, owner), ':place': place },
    }),
  )
}

/** Gives up an upload whose file has not arrived. A file that arrives later is still read. */
export const giveUpUpload = async (id: string, sentence: string, at: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(uploadKey(id), {
      UpdateExpression: 'SET #status = :failed, #error = :sentence, finished_time = :at REMOVE due_key, due_at',
      ConditionExpression: '#status = :waiting',
      ExpressionAttributeNames: { '#status': 'status', '#error': 'error' },
      ExpressionAttributeValues: { ':failed': 'failed', ':waiting': 'waiting', ':sentence': sentence, ':at': at },
    }),
  )
}
