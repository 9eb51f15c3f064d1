import { SECOND } from '../../platform/values/durations.ts'
import { formatInstant, formatOptional } from '../../platform/values/time.ts'
import type { Instant } from '../../platform/values/values.ts'
import type { Upload } from '../upload.ts'

/** Rows per second, to a tenth: so far, or over the whole processing time. */
const rateOf = ({ rows, started_time, finished_time }: Upload, at: Instant): number | null => {
  const until = finished_time ?? at
  if (started_time === null || until <= started_time) return null
  return Math.round((rows * SECOND * 10) / (until - started_time)) / 10
}

/** Sentences joined by spaces; null when there are none. */
const told = (...sentences: readonly (string | null)[]): string | null => sentences.filter((one) => one !== null).join(' ') || null

interface Circumstances {
  readonly at: Instant
  /** Null: nothing was rejected, or the list is not complete yet. */
  readonly rejectedUrl: string | null
}

/** The upload object of the API. */
export const representUpload = (upload: Upload, { at, rejectedUrl }: Circumstances) => {
  const { upload_id, source, filename, status, rows, created, reengaged, updated, unchanged, rejected, error, remark } = upload
  return {
    ...{ upload_id, source, filename, status, rows, created, reengaged, updated, unchanged, rejected, error: told(error, remark) },
    rejected_url: rejectedUrl,
    created_time: formatInstant(upload.created_time),
    finished_time: formatOptional(upload.finished_time),
    rate: rateOf(upload, at),
  }
}
