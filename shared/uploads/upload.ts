import * as v from 'valibot'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'
import { CsvDialect, CsvPosition } from './csv.ts'

export const UPLOAD_STATUSES = ['waiting', 'processing', 'done', 'failed'] as const

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** What became of the rows read so far; those of reengaged leads are counted in `updated` too. */
export const UploadCounts = v.object({
  created: v.optional(Count, 0),
  reengaged: v.optional(Count, 0),
  updated: v.optional(Count, 0),
  unchanged: v.optional(Count, 0),
  rejected: v.optional(Count, 0),
  /** Those of the rejected ones that kept failing by a fault of the service. */
  unhandled: v.optional(Count, 0),
})
export type UploadCounts = v.InferOutput<typeof UploadCounts>

/** The file as it came: no other that is sent to the same URL is read. */
export const UploadedObject = v.object({
  /** None where the bucket keeps no versions. */
  version: absentAsNull(v.string()),
  etag: absentAsNull(v.string()),
  /** Another one for each time that a file is sent, the same file or not. */
  sequencer: absentAsNull(v.string()),
  /** Bytes. */
  size: v.number(),
})
export type UploadedObject = v.InferOutput<typeof UploadedObject>

/** How far the CSV of the rejected rows has been put together, when no row is to be read any more. */
export const ReportAssembly = v.object({
  /** Why not all rows were read: a sentence. */
  sentence: absentAsNull(v.string()),
  /** Of the multipart upload to the bucket, if there is one yet. */
  multipart: absentAsNull(v.string()),
  /** Of its parts, in order. */
  etags: v.array(v.string()),
  /** Key of the last piece that is in them, or in the tail. */
  after: v.string(),
  /** Key of what comes after the parts, and is too small for one yet. */
  tail: absentAsNull(v.string()),
})
export type ReportAssembly = v.InferOutput<typeof ReportAssembly>

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
  /** Why it failed, or what of it did: a sentence. */
  error: absentAsNull(v.string()),
  /** What else its sender should know, whatever becomes of it: a sentence. */
  remark: absentAsNull(v.string()),
  /** Where the CSV of the rejected rows is in the bucket, once there is one. */
  rejected_key: absentAsNull(v.string()),
  created_time: Instant,
  /** When its processing began. */
  started_time: absentAsNull(Instant),
  finished_time: absentAsNull(Instant),
  /** Epoch seconds. */
  expires_at: v.number(),

  object: absentAsNull(UploadedObject),
  /** How the file is read, and what of it is counted: all before the place. */
  dialect: absentAsNull(CsvDialect),
  counted_to: absentAsNull(CsvPosition),
  /** Whoever works on it has this token, until then. */
  lease_token: absentAsNull(v.string()),
  lease_until: v.optional(Instant, 0),
  /** Times that work on it has begun without getting further. */
  tries: v.optional(Count, 0),
  /** Those of them that ended by what passes, and since when they do. */
  passing: v.optional(Count, 0),
  failing_since: absentAsNull(Instant),
  assembly: absentAsNull(ReportAssembly),
})
export type Upload = v.InferOutput<typeof Upload>
