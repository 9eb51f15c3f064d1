import type { ApiOperation } from './operation.ts'
import { uploadId } from './parameters.ts'

/** Files of leads. */
export const uploads: Readonly<Record<string, ApiOperation>> = {
  'ingestion/upload': {
    tag: 'Uploads',
    description:
      'For a source, which the operator has set up: it says what the columns are, and what becomes of a row. PUT the file to the URL, and it is processed: CSV in UTF-8 or Windows-1252, up to 5 GB. A `filename` that ends in anything but `.csv`, `.tsv`, `.tab` or `.txt` is refused.',
    body: 'CreateUpload',
    example: { source: 'demo', filename: 'leads.csv' },
    answers: { 200: { description: 'Where to put the file.', holds: 'UploadUrl' } },
  },
  'ingestion/retrieve-upload': {
    tag: 'Uploads',
    description:
      'Rows are counted as they are processed. One that could not be read, or whose lead was refused, is `rejected`, and the rest goes on. Kept for 90 days.',
    path: { upload_id: uploadId },
    answers: { 200: { description: 'How it fares.', holds: 'Upload' } },
  },
}
