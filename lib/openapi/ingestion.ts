import type { ApiOperation, Parameter } from './operation.ts'
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

const ingestionUrl: Readonly<Record<string, Parameter>> = {
  id: { description: 'Id of the ingestion URL.', schema: { type: 'string', format: 'uuid' } },
}

const example = {
  ref: 'A-17',
  contact: { phone: '+12125550123', email: 'ann@example.com', name: { first: 'Ann', last: 'Lee' } },
  address: { state: 'NY', zip: '10001' },
}

const ABOUT =
  'The fields are the provider’s own; the mapping of the ingestion URL says what becomes of each, and nothing else is kept. A form may write `contact[phone]` or `contact.phone` for what is nested. What is wrong is told under the names that the provider uses. Whether a token is asked for is up to the URL; one without a token has an allowance of its own, and an `Idempotency-Key` then counts for the URL.'

/** Leads in the providers' own formats. */
export const ingestLead: Readonly<Record<string, ApiOperation>> = {
  'ingest-lead/create': {
    tag: 'Ingestion',
    description: `${ABOUT} As creating a lead, this may reengage an earlier one.`,
    path: ingestionUrl,
    body: 'ForeignLead',
    example,
    forms: true,
    answers: {
      201: { description: 'Created.', holds: 'Lead' },
      200: { description: 'An existing lead was reengaged.', holds: 'Lead' },
    },
  },
  'ingest-lead/upsert': {
    tag: 'Ingestion',
    description: `${ABOUT} The lead with the same external id is updated, else that with the phone number, else that with the email, the newest of several; when there is none, one is created. Only what was sent is changed, and do-not-contact is never cleared. What is sent again changes nothing.`,
    path: ingestionUrl,
    body: 'ForeignLead',
    example,
    forms: true,
    answers: {
      201: { description: 'Created.', holds: 'Lead' },
      200: { description: 'An existing lead, as it is now.', holds: 'Lead' },
    },
  },
}
