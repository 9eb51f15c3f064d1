import { dueEntries } from '../backlog/due.ts'
import { dueAt, parseUploadPk, uploadDueKey, uploadKey, uploadShardKey } from '../platform/keys.ts'
import { expiresAt, isKept } from '../platform/table/expiry.ts'
import { getItem, ifConditionHolds, putItem, updateItem } from '../platform/table/table.ts'
import { DAY } from '../platform/values/durations.ts'
import type { Instant } from '../platform/values/values.ts'
import { Upload } from './upload.ts'

/** How long an upload is known after its URL was made. */
export const UPLOAD_KEPT = 90 * DAY

/** What is known of an upload before its file has arrived. */
export type NewUpload = Pick<Upload, 'upload_id' | 'owner' | 'source' | 'filename' | 'object_key' | 'created_time'>

/** Keeps a new upload; from `due` on it stands in the due index as one whose file has not come. */
export const insertUpload = async (upload: NewUpload, due: Instant): Promise<void> => {
  const { upload_id, owner, created_time } = upload
  await putItem({
    ...uploadKey(upload_id),
    ...upload,
    status: 'waiting',
    expires_at: expiresAt(created_time, UPLOAD_KEPT),
    due_key: uploadDueKey(upload_id),
    due_at: dueAt(due, 0, owner),
  })
}

/** Strongly consistent. Undefined also when the upload has expired by `at`, whether or not the table still holds it. */
export const getUpload = async (id: string, at: Instant): Promise<Upload | undefined> => {
  const upload = await getItem(Upload, uploadKey(id))
  return upload && isKept(upload, at) ? upload : undefined
}

/** An upload that is not done, and its place in the due index. */
export interface DueUpload {
  readonly upload_id: string
  readonly place: string
}

/** Uploads of a shard (see UPLOAD_SHARDS) to look at by `until`, the longest waiting first, at most `limit`. */
export const dueUploads = async (shard: number, until: Instant, limit: number): Promise<DueUpload[]> => {
  const entries = await dueEntries(uploadShardKey(shard), 0, until, limit)
  return entries.map(({ pk, due_at }) => ({ upload_id: parseUploadPk(pk), place: due_at }))
}

/** Notes when to look at an upload again, if nobody has meanwhile. */
export const postponeUpload = async ({ upload_id, place }: DueUpload, owner: number, due: Instant): Promise<void> => {
  await ifConditionHolds(
    updateItem(uploadKey(upload_id), {
      UpdateExpression: 'SET due_at = :due',
      ConditionExpression: 'due_at = :place',
      ExpressionAttributeValues: { ':due': dueAt(due, 0, owner), ':place': place },
    }),
  )
}

/** Gives up an upload whose file has not come. One that comes after all is read nevertheless. */
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
