import * as v from 'valibot'
import { CallPreviewResponse, representCalls } from '../../calling/api/preview.ts'
import { NO_LEADS, previewedLeads } from '../../calling/rules/preview.ts'
import { booleanField } from '../../http/fields/choice.ts'
import { onlyFields } from '../../http/fields/only-fields.ts'
import { checkedTextField } from '../../http/fields/text.ts'
import { youSent } from '../../http/fields/you-sent.ts'
import { Count, DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { SECOND } from '../../platform/values/durations.ts'
import { formatInstant, formatOptional } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'
import { whyForeignName } from '../rules/csv/unfit.ts'
import { MOST_WARNED_LINES, UPLOAD_STATUSES, type Upload, warningsIn } from '../upload.ts'

interface Pattern {
  readonly maxLength: number
  readonly pattern: RegExp
  /** The pattern in words. */
  readonly rule: string
}

/** Text that must match a pattern as a whole. `check` returns further errors. */
const patternField = ({ maxLength, pattern, rule }: Pattern, check: (text: string) => readonly string[] = () => []) => {
  const problems = (text: string): readonly string[] =>
    pattern.test(text) ? check(text) : [`This value does not match the required pattern. ${rule}${youSent(text)}`]
  return checkedTextField({ maxLength }, problems, { pattern: pattern.source, description: rule })
}

/** Refuses the name before the upload, because a file with this name would not be read. */
const nameProblems = (filename: string): string[] => [whyForeignName(filename) ?? []].flat()

/** Name of a source. */
export const sourceField = patternField({
  maxLength: 50,
  pattern: /^[a-zA-Z0-9_-]+$/,
  rule: 'The name of a source holds only English letters, digits, _ and -, such as daily-leads.',
})

const filenameField = patternField(
  {
    maxLength: 255,
    pattern: /^[a-zA-Z0-9][a-zA-Z0-9_. -]*$/,
    rule: 'A file name begins with an English letter or a digit. It holds only these, spaces, dots, _ and -, such as leads-2026-11.csv.',
  },
  nameProblems,
)

/** The body of a request for an upload: its source and its file name. */
export const CreateUpload = onlyFields({
  source: sourceField,
  filename: filenameField,
  dry_run: v.pipe(
    v.optional(booleanField(), false),
    v.description('Whether to only report what would happen to each row. No lead is written, and nobody is called. Default: false.'),
  ),
})
export type CreateUpload = v.InferOutput<typeof CreateUpload>

const UploadId = v.pipe(v.string(), v.uuid())

/** Shown only when true, so that the response to other requests does not change. */
const DryRun = v.optional(v.literal(true))

/** The URL to send the file to, and the id of its result. */
export const UploadUrlResponse = v.strictObject({
  signed_url: v.pipe(
    v.string(),
    v.description('Send the file as the body of a PUT request to this URL, with any content type, within one hour.'),
  ),
  upload_id: UploadId,
  dry_run: v.pipe(DryRun, v.description('Only for a dry run.')),
})

/** The state of an upload. */
export const UploadResponse = v.strictObject({
  upload_id: UploadId,
  source: v.string(),
  filename: v.string(),
  status: v.picklist(UPLOAD_STATUSES),
  rows: v.pipe(Count, v.description('Rows so far: `created + updated + unchanged + rejected`.')),
  created: Count,
  reengaged: v.pipe(Count, v.description('Also counted in `updated`.')),
  updated: Count,
  unchanged: Count,
  rejected: Count,
  warnings: v.pipe(
    v.optional(v.record(v.string(), Count)),
    v.description('Rows that were accepted but may surprise you, by the code of the warning. Only present if there are any.'),
  ),
  warning_lines: v.pipe(
    v.optional(v.record(v.string(), v.array(Count))),
    v.description(
      `Lines of the file at which the rows with a warning begin, by the code of the warning: the first ${MOST_WARNED_LINES} of each. Only present if there are any.`,
    ),
  ),
  dry_run: v.pipe(
    DryRun,
    v.description('Present only if the upload is a dry run. The counts then say what would happen, and no lead is written.'),
  ),
  preview: v.pipe(
    v.optional(v.nullable(CallPreviewResponse)),
    v.description(
      'Only for a dry run: when the leads could be called if the file were sent now. Counts each row so far that would create or update a lead, also if two rows are about one lead. Null if an older version counted some of the rows.',
    ),
  ),
  error: v.pipe(v.nullable(v.string()), v.description('Why the upload failed, or another remark about it.')),
  rejected_url: v.pipe(
    v.nullable(v.string()),
    v.description(
      'A CSV of the rejected rows with line, column, value and message. The URL is valid for at least an hour from the answer. A later answer has another URL. Null for a dry run.',
    ),
  ),
  report_url: v.pipe(
    v.optional(v.nullable(v.string())),
    v.description(
      'Only for a dry run: a CSV of all rows with line, result, lead, column, value and message. Null until it is complete. The URL is valid for at least an hour from the answer. A later answer has another URL.',
    ),
  ),
  created_time: DateTime,
  finished_time: OptionalDateTime,
  rate: v.pipe(
    v.nullable(v.number()),
    v.description('Rows per second from the start of processing until now or until its end. Null before the start.'),
  ),
})

/** Rows per second, to a tenth: so far, or over the whole processing time. */
const rateOf = ({ rows, started_time, finished_time }: Upload, at: Instant): number | null => {
  const until = finished_time ?? at
  if (started_time === null || until <= started_time) return null
  return Math.round((rows * SECOND * 10) / (until - started_time)) / 10
}

/** Sentences joined by spaces; null when there are none. */
const joined = (...sentences: readonly (string | null | undefined)[]): string | null => sentences.filter(Boolean).join(' ') || null

interface Circumstances {
  readonly at: Instant
  /** URL of the list of rejected rows, or of the report of a dry run. Null: there is none, or it is not complete yet. */
  readonly reportUrl: string | null
}

/** Null when some of the rows were counted by a version without previews. */
const shownPreview = ({ preview, created, updated }: Upload): v.InferOutput<typeof CallPreviewResponse> | null => {
  const counted = preview ?? NO_LEADS
  return previewedLeads(counted) === created + updated ? representCalls(counted) : null
}

/** The upload object of the API. */
export const representUpload = (upload: Upload, { at, reportUrl }: Circumstances): v.InferOutput<typeof UploadResponse> => {
  const { upload_id, source, filename, dry_run, status, rows, created, reengaged, updated, unchanged, rejected } = upload
  const { error, dialect, remark, warned_lines: warning_lines } = upload
  const warnings = warningsIn(upload)
  return {
    ...{
      upload_id,
      source,
      filename,
      status,
      rows,
      created,
      reengaged,
      updated,
      unchanged,
      rejected,
      error: joined(error, dialect?.ignored, remark),
    },
    ...(Object.keys(warnings).length > 0 && { warnings }),
    ...(Object.keys(warning_lines).length > 0 && { warning_lines }),
    ...(dry_run ? { dry_run, preview: shownPreview(upload), rejected_url: null, report_url: reportUrl } : { rejected_url: reportUrl }),
    created_time: formatInstant(upload.created_time),
    finished_time: formatOptional(upload.finished_time),
    rate: rateOf(upload, at),
  }
}
