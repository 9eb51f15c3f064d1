import * as v from 'valibot'
import { Count, DateTime, OptionalDateTime } from '../../http/responses/values.ts'
import { UPLOAD_STATUSES } from '../upload.ts'

const UploadId = v.pipe(v.string(), v.uuid())

/** The URL to send the file to, and the id of its result. */
export const UploadUrlResponse = v.strictObject({
  signed_url: v.pipe(v.string(), v.description('Takes the file as the body of a PUT request, with any content type, for one hour.')),
  upload_id: UploadId,
})

/** The state of an upload. */
export const UploadResponse = v.strictObject({
  upload_id: UploadId,
  source: v.string(),
  filename: v.string(),
  status: v.pipe(v.picklist(UPLOAD_STATUSES), v.description('`waiting`: for the file.')),
  rows: v.pipe(Count, v.description('Rows so far: `created + updated + unchanged + rejected`.')),
  created: Count,
  reengaged: v.pipe(Count, v.description('Of those that are counted in `updated`.')),
  updated: Count,
  unchanged: Count,
  rejected: Count,
  error: v.pipe(v.nullable(v.string()), v.description('A sentence: why it failed, or what else there is to say.')),
  rejected_url: v.pipe(
    v.nullable(v.string()),
    v.description('A CSV of the rejected rows with line, column, value and message; made anew with each answer, and good for one hour.'),
  ),
  created_time: DateTime,
  finished_time: OptionalDateTime,
  rate: v.pipe(v.nullable(v.number()), v.description('Rows per second since its processing began, or from that to its end; null before.')),
})
