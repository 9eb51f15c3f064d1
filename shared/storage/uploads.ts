import { DAY } from '../domain/durations.ts'
import { Upload } from '../schema/upload.ts'
import type { Instant } from '../schema/values.ts'
import { expiresAt, isKept } from './expiry.ts'
import { dueAt, uploadDueKey, uploadKey } from './keys.ts'
import { getItem, putItem } from './table.ts'

/** How long an upload is known after its URL was made. */
const KEPT = 90 * DAY

/** What is known of an upload before its file has arrived. */
export type NewUpload = Pick<Upload, 'upload_id' | 'owner' | 'source' | 'filename' | 'object_key' | 'created_time'>

/** Keeps a new upload; from `due` on it stands in the due index as one whose file has not come. */
export const insertUpload = async (upload: NewUpload, due: Instant): Promise<void> => {
  const { upload_id, owner, created_time } = upload
  await putItem({
    ...uploadKey(upload_id),
    ...upload,
    status: 'waiting',
    expires_at: expiresAt(created_time, KEPT),
    due_key: uploadDueKey(upload_id),
    due_at: dueAt(due, 0, owner),
  })
}

/** Strongly consistent. Undefined also when the upload has expired by `at`, whether or not the table still holds it. */
export const getUpload = async (id: string, at: Instant): Promise<Upload | undefined> => {
  const upload = await getItem(Upload, uploadKey(id))
  return upload && isKept(upload, at) ? upload : undefined
}
