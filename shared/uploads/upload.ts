import * as v from 'valibot'
import { Preview } from '../calling/rules/preview.ts'
import { Mapping, SOURCE_MODES } from '../ingestion/ingestion.ts'
import { absentAsNull, Id, Instant } from '../platform/values/values.ts'
import { ROW_WARNINGS, type WarnedLines } from '../platform/values/warning.ts'
import { CsvDialect, CsvPosition } from './csv.ts'

export const UPLOAD_STATUSES = ['waiting', 'processing', 'done', 'failed'] as const

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The count of the rows that were written with a warning. */
const warned = <C extends (typeof ROW_WARNINGS)[number]>(code: C) => `warned_${code}` as const

export const WARNED = ROW_WARNINGS.map(warned)

/** Results of the rows read so far. Rows that reengaged a lead count in `updated` too. */
export const UploadCounts = v.object({
  /** Rows written with a warning, by its code: `warned_no_place`. */
  ...v.object(v.entriesFromList(WARNED, v.optional(Count, 0))).entries,
  created: v.optional(Count, 0),
  reengaged: v.optional(Count, 0),
  updated: v.optional(Count, 0),
  unchanged: v.optional(Count, 0),
  rejected: v.optional(Count, 0),
  /** Rejected rows that kept failing because of a fault of the service. */
  unhandled: v.optional(Count, 0),
})
export type UploadCounts = v.InferOutput<typeof UploadCounts>

/** Results of rows, without those of warnings. */
export const RESULTS = ['created', 'reengaged', 'updated', 'unchanged', 'rejected', 'unhandled'] as const
/** The names of all counts of an upload or a lane. */
export const COUNT_NAMES = [...RESULTS, ...WARNED, 'rows'] as const

const NOT_WARNED = v.parse(v.object(v.entriesFromList(WARNED, v.optional(Count, 0))), {})

export const warnedCounts = (lines: WarnedLines): typeof NOT_WARNED => ({
  ...NOT_WARNED,
  ...Object.fromEntries(ROW_WARNINGS.map((code) => [warned(code), lines[code]?.length ?? 0])),
})

/** Lines that an upload keeps of each warning: a file may have millions. */
export const MOST_WARNED_LINES = 20

/** The first lines of each warning, of several parts of a file in any order. */
export const firstWarned = (parts: readonly WarnedLines[]): Record<string, number[]> =>
  Object.fromEntries(
    ROW_WARNINGS.flatMap((code) => {
      const lines = parts.flatMap((part) => part[code] ?? []).sort((a, b) => a - b)
      return lines.length > 0 ? [[code, lines.slice(0, MOST_WARNED_LINES)]] : []
    }),
  )

/** The warnings of an upload that at least one row caused. */
export const warningsIn = (counts: UploadCounts): Readonly<Record<string, number>> =>
  Object.fromEntries(ROW_WARNINGS.flatMap((code) => (counts[warned(code)] > 0 ? [[code, counts[warned(code)]]] : [])))

/** The first file that arrived. Another file that is sent to the same URL is not read. */
export const UploadedObject = v.object({
  /** Null where the bucket keeps no versions. */
  version: absentAsNull(v.string()),
  etag: absentAsNull(v.string()),
  /** Differs each time that a file is sent, even the same file. */
  sequencer: absentAsNull(v.string()),
  /** Bytes. */
  size: v.number(),
})
export type UploadedObject = v.InferOutput<typeof UploadedObject>

/** The state of the report, once no more rows are read. */
export const ReportAssembly = v.object({
  /** A sentence: why not all rows were read. */
  sentence: absentAsNull(v.string()),
  /** Id of the multipart upload to the bucket, once there is one. */
  multipart: absentAsNull(v.string()),
  /** ETags of its parts, in order. */
  etags: v.array(v.string()),
  /** Key of the last piece that is in the parts or in the tail. */
  after: v.string(),
  /** Key of the data after the parts that is too small for a part. */
  tail: absentAsNull(v.string()),
})
export type ReportAssembly = v.InferOutput<typeof ReportAssembly>

/**
 * How the rows of a large file are divided among workers. It is decided once, so that each row stays with one lane whatever becomes of the
 * source.
 */
export const LanePlan = v.object({
  lanes: v.pipe(v.number(), v.integer(), v.minValue(2)),
  /** Columns whose text decides a row's lane. */
  columns: v.array(v.string()),
  /**
   * `first`: the first column with a value decides. `number`: as `first`, by the last digits of a phone number. In old plans, `phone`: as
   * `first`, and ten digits count; `all`: all columns decide.
   */
  by: v.picklist(['first', 'number', 'phone', 'all']),
  /** Whether a value without letters and digits decides the lane. Absent in old plans, whose rows must keep their lanes. */
  signs: v.optional(v.boolean()),
})
export type LanePlan = v.InferOutput<typeof LanePlan>

/** The token of an upload whose rows are left to its lanes. Other workers leave it alone until all lanes have ended. */
export const HELD_BY_LANES = 'lanes'

/**
 * The parts of a source that stay the same for all rows of a file. The dialect names the columns as this mapping does. Another mapping may
 * not find them.
 */
export const PinnedSource = v.object({
  mode: v.picklist(SOURCE_MODES),
  lookup_column: absentAsNull(v.string()),
  mapping: Mapping,
})
export type PinnedSource = v.InferOutput<typeof PinnedSource>

/** A file that a client sends to one of its sources. The upload exists from the moment when its URL is made. */
export const Upload = v.object({
  /** A UUID. */
  upload_id: v.string(),
  /** 0: the upload itself. From 1: one of its lanes, which has counts, a position and a lease of its own. */
  lane: v.optional(Count, 0),
  /** Null: the file is not divided. */
  plan: absentAsNull(LanePlan),
  owner: Id,
  /** The staff member who sends the file for the owner, for audit records. */
  staff: v.optional(Id),
  /** Name of the source that says how the file is read. */
  source: v.string(),
  filename: v.string(),
  /** Nothing is written: the report tells what would happen to each row. */
  dry_run: v.optional(v.boolean(), false),
  /** Key of the file in the uploads bucket, unless it is a dry run: see `fileKeyOf`. */
  object_key: v.string(),
  status: v.picklist(UPLOAD_STATUSES),
  /** Rows read so far, without the header: `created + updated + unchanged + rejected`. */
  rows: v.optional(Count, 0),
  ...UploadCounts.entries,
  /** The first lines of the rows with each warning. */
  warned_lines: v.optional(v.record(v.string(), v.array(v.number())), {}),
  /** Of a dry run: when the leads of the rows so far would be called. Rows that change no lead do not count. */
  preview: absentAsNull(Preview),
  /** A sentence: why it failed, or which part of it failed. */
  error: absentAsNull(v.string()),
  /** A sentence: a remark for the sender, whatever the result. */
  remark: absentAsNull(v.string()),
  /** Key of the report in the bucket, once there is one: a CSV of the rejected rows, or of all rows of a dry run. */
  rejected_key: absentAsNull(v.string()),
  created_time: Instant,
  /** When its processing began. */
  started_time: absentAsNull(Instant),
  finished_time: absentAsNull(Instant),
  /** Epoch seconds. */
  expires_at: v.number(),

  object: absentAsNull(UploadedObject),
  /** How the file is read, and the position before which all rows are counted. */
  dialect: absentAsNull(CsvDialect),
  /** Null before and after the rows are read, for a very large source, and where an earlier version saved the dialect. */
  pinned: absentAsNull(PinnedSource),
  counted_to: absentAsNull(CsvPosition),
  /** The current worker has this token until `lease_until`. */
  lease_token: absentAsNull(v.string()),
  lease_until: v.optional(Instant, 0),
  /** Attempts without progress. */
  tries: v.optional(Count, 0),
  /** How many of the attempts ended with a transient error, and when the first of these ended. */
  passing: v.optional(Count, 0),
  failing_since: absentAsNull(Instant),
  assembly: absentAsNull(ReportAssembly),
})
export type Upload = v.InferOutput<typeof Upload>

/**
 * Key of an upload's file in the bucket. A dry run has no object at its `object_key`: workers of versions without dry runs read that key
 * and ignore `dry_run`. They find no file, so they write no leads.
 */
export const fileKeyOf = ({ object_key, dry_run }: Pick<Upload, 'object_key' | 'dry_run'>): string =>
  dry_run ? `${object_key}.dry-run` : object_key
