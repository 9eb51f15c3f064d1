import * as v from 'valibot'
import { absentAsNull, Id, Instant } from './values.ts'

export const UPLOAD_STATUSES = ['waiting', 'processing', 'done', 'failed'] as const

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** What became of the rows read so far; those of reengaged leads are counted in `updated` too. */
export const UploadCounts = v.object({
  created: v.optional(Count, 0),
  reengaged: v.optional(Count, 0),
  updated: v.optional(Count, 0),
  unchanged: v.optional(Count, 0),
  rejected: v.optional(Count, 0),
})
export type UploadCounts = v.InferOutput<typeof UploadCounts>

/** A file that a client sends to one of its sources, from the moment it has the URL to send it to. */
export const Upload = v.object({
  /** A UUID. */
  upload_id: v.string(),
  owner: Id,
  /** Name of the source that says how the file is read. */
  source: v.string(),
  filename: v.string(),
  /** Where the file goes in the bucket of uploads. */
  object_key: v.string(),
  status: v.picklist(UPLOAD_STATUSES),
  /** Rows read so far, the header not among them: `created + updated + unchanged + rejected`. */
  rows: v.optional(Count, 0),
  ...UploadCounts.entries,
  /** Why it failed, or what else its sender should know: a sentence. */
  error: absentAsNull(v.string()),
  /** Where the CSV of the rejected rows is in the bucket, once there is one. */
  rejected_key: absentAsNull(v.string()),
  created_time: Instant,
  /** When its processing began. */
  started_time: absentAsNull(Instant),
  finished_time: absentAsNull(Instant),
  /** Epoch seconds. */
  expires_at: v.number(),
})
export type Upload = v.InferOutput<typeof Upload>
