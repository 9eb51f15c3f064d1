import type { Parameter } from '../openapi/operation.ts'
import { paging, uploadId } from '../openapi/parameters.ts'
import { type Route, WRITES_LEADS } from './route.ts'

const ingestionUrl: Readonly<Record<string, Parameter>> = {
  id: { description: 'Id of the ingestion URL.', schema: { type: 'string', format: 'uuid' } },
}

const example = {
  ref: 'A-17',
  contact: { phone: '+12125550123', email: 'lee@example.com', name: { first: 'Ann', last: 'Lee' } },
  address: { state: 'NY', zip: '10001' },
}

const ABOUT =
  'The body has the provider’s own fields. The mapping of the ingestion URL says where each field goes. Fields without a mapping are not kept. In a form, write a nested field as `contact[phone]` or `contact.phone`. Errors use the field names of the provider. The URL decides whether a token is required. A URL without a token has its own rate limit, and the scope of an `Idempotency-Key` is then the URL.'

/** A request with a lead in its provider's own format. */
const foreignLead = { tag: 'Ingestion', path: ingestionUrl, body: 'ForeignLead', example, forms: true } as const

/** Files of leads. */
export const uploadRoutes = [
  {
    method: 'GET',
    path: '/api/sources/',
    function: 'sources/list',
    auth: 'token',
    needs: ['table:get', 'table:query'],
    summary: 'List the sources of uploads',
    impact: 'Clients cannot see which sources and columns their files may have. Files are still processed.',
    api: {
      tag: 'Uploads',
      description: 'By name. The operator sets sources up.',
      query: paging,
      answers: { 200: { description: 'A page of sources.', holds: 'SourcePage' } },
      mayMiss: true,
    },
  },
  {
    method: 'POST',
    path: '/api/ingestion/upload/',
    function: 'ingestion/upload',
    auth: 'token',
    needs: ['table:get', 'table:query', 'table:put', 'uploads:put'],
    summary: 'Create a URL to upload a file of leads to',
    impact: 'Clients cannot upload files of leads, so these leads are not called.',
    api: {
      tag: 'Uploads',
      description:
        'Each upload names a source, which the operator has set up. The source says what the columns are and how a row is processed. Send the file to the URL with PUT; then the service processes it. The file is CSV in UTF-8 or Windows-1252, up to 5 GiB. A `filename` with another ending than `.csv`, `.tsv`, `.tab` or `.txt` is refused. With `dry_run`, the service only reports what would happen to each row.',
      body: 'CreateUpload',
      example: { source: 'demo', filename: 'leads.csv' },
      answers: { 200: { description: 'The URL for the file.', holds: 'UploadUrl' } },
    },
  },
  {
    method: 'GET',
    path: '/api/ingestion/uploads/',
    function: 'ingestion/list-uploads',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:query', 'index:by-owner', 'rejected:read'],
    summary: 'List your uploads',
    impact: 'Clients cannot see which files they have uploaded. The files are still processed.',
    api: {
      tag: 'Uploads',
      description: 'Newest first, those of the last 90 days. An upload is listed from the moment when its URL is made.',
      query: paging,
      answers: { 200: { description: 'A page of uploads.', holds: 'UploadPage' } },
      mayMiss: true,
    },
  },
  {
    method: 'GET',
    path: '/api/ingestion/uploads/{upload_id}/',
    function: 'ingestion/retrieve-upload',
    auth: 'token',
    needs: ['table:get', 'table:query', 'rejected:read'],
    summary: 'Retrieve the progress and the result of an upload',
    impact: 'Clients cannot see the results of their uploads. The files are still processed.',
    api: {
      tag: 'Uploads',
      description:
        'Rows are counted as they are processed. A row is `rejected` if it cannot be read or its lead is refused; the other rows are still processed. An upload is kept for 90 days.',
      path: { upload_id: uploadId },
      answers: { 200: { description: 'The state of the upload.', holds: 'Upload' } },
    },
  },
] as const satisfies readonly Route[]

/** Leads in the providers' own formats. */
export const ingestLeadRoutes = [
  {
    method: 'POST',
    path: '/api/ingest-lead/{id}/',
    function: 'ingest-lead/create',
    auth: 'ingestion',
    needs: WRITES_LEADS,
    summary: 'Create a lead from a custom payload',
    impact: 'Providers cannot create leads in their own formats, so these leads are not called.',
    api: {
      ...foreignLead,
      description: `${ABOUT} As when you create a lead, an earlier lead may be reengaged instead.`,
      answers: {
        201: { description: 'Created.', holds: 'Lead' },
        200: { description: 'An existing lead was reengaged.', holds: 'Lead' },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/ingest-lead/{id}/upsert/',
    function: 'ingest-lead/upsert',
    auth: 'ingestion',
    needs: WRITES_LEADS,
    summary: 'Create or update a lead from a custom payload',
    impact: 'Providers cannot create or update leads in their own formats, so new leads are not called.',
    api: {
      ...foreignLead,
      description: `${ABOUT} The service updates the lead with the same external id, else the same phone number, else the same email. If several match, it updates the newest. If none matches, it creates a lead. Only the fields that you send change, and do-not-contact flags are never cleared. Sending the same again changes nothing.`,
      answers: {
        201: { description: 'Created.', holds: 'Lead' },
        200: { description: 'An existing lead, as it is now.', holds: 'Lead' },
      },
    },
  },
] as const satisfies readonly Route[]
