import type { ApiOperation, Parameter } from './operation.ts'
import { uploadId } from './parameters.ts'

/** Files of leads. */
export const uploads: Readonly<Record<string, ApiOperation>> = {
  'ingestion/upload': {
    tag: 'Uploads',
    description:
      'Each upload names a source, which the operator has set up. The source says what the columns are and how a row is processed. Send the file to the URL with PUT; then the service processes it. The file is CSV in UTF-8 or Windows-1252, up to 5 GB. A `filename` with another ending than `.csv`, `.tsv`, `.tab` or `.txt` is refused.',
    body: 'CreateUpload',
    example: { source: 'demo', filename: 'leads.csv' },
    answers: { 200: { description: 'The URL for the file.', holds: 'UploadUrl' } },
  },
  'ingestion/retrieve-upload': {
    tag: 'Uploads',
    description:
      'Rows are counted as they are processed. A row is `rejected` if it cannot be read or its lead is refused; the other rows are still processed. An upload is kept for 90 days.',
    path: { upload_id: uploadId },
    answers: { 200: { description: 'The state of the upload.', holds: 'Upload' } },
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
  'The body has the provider’s own fields. The mapping of the ingestion URL says where each field goes. Fields without a mapping are not kept. In a form, write a nested field as `contact[phone]` or `contact.phone`. Errors use the field names of the provider. The URL decides whether a token is required. A URL without a token has its own rate limit, and the scope of an `Idempotency-Key` is then the URL.'

/** Leads in the providers' own formats. */
export const ingestLead: Readonly<Record<string, ApiOperation>> = {
  'ingest-lead/create': {
    tag: 'Ingestion',
    description: `${ABOUT} As when you create a lead, an earlier lead may be reengaged instead.`,
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
    description: `${ABOUT} The service updates the lead with the same external id, else the same phone number, else the same email. If several match, it updates the newest. If none matches, it creates a lead. Only the fields that you send change, and do-not-contact flags are never cleared. Sending the same again changes nothing.`,
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
