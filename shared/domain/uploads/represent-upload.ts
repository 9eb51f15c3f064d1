import type { Upload } from '../../schema/upload.ts'
import type { Instant } from '../../schema/values.ts'
import { SECOND } from '../durations.ts'
import { formatInstant, formatOptional } from '../time.ts'

/** Rows per second so far, to a tenth. */
const rateOf = ({ status, rows, started_time }: Upload, at: Instant): number | null => {
  if (status !== 'processing' || started_time === null || at <= started_time) return null
  return Math.round((rows * SECOND * 10) / (at - started_time)) / 10
}

interface Circumstances {
  readonly at: Instant
  /** Null: nothing was rejected, or not all of it is known. */
  readonly rejectedUrl: string | null
}

/** The upload object of the interface. */
export const representUpload = (upload: Upload, { at, rejectedUrl }: Circumstances, zone?: string) => {
  const { upload_id, source, filename, status, rows, created, reengaged, updated, unchanged, rejected, error } = upload
  return {
    ...{ upload_id, source, filename, status, rows, created, reengaged, updated, unchanged, rejected, error },
    rejected_url: rejectedUrl,
    created_time: formatInstant(upload.created_time, zone),
    finished_time: formatOptional(upload.finished_time, zone),
    rate: rateOf(upload, at),
  }
}
