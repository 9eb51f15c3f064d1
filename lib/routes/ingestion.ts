import { type Route, WRITES_LEADS } from './route.ts'

/** Files of leads. */
export const uploadRoutes = [
  {
    method: 'POST',
    path: '/api/ingestion/upload/',
    function: 'ingestion/upload',
    auth: 'token',
    needs: ['table:get', 'table:put', 'uploads:put'],
    summary: 'Create a URL to upload a file of leads to',
    impact: 'Clients cannot upload files of leads, so these leads are not called.',
  },
  {
    method: 'GET',
    path: '/api/ingestion/uploads/{upload_id}/',
    function: 'ingestion/retrieve-upload',
    auth: 'token',
    needs: ['table:get', 'rejected:read'],
    summary: 'Retrieve the progress and the result of an upload',
    impact: 'Clients cannot see the results of their uploads. The files are still processed.',
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
  },
  {
    method: 'POST',
    path: '/api/ingest-lead/{id}/upsert/',
    function: 'ingest-lead/upsert',
    auth: 'ingestion',
    needs: WRITES_LEADS,
    summary: 'Create or update a lead from a custom payload',
    impact: 'Providers cannot create or update leads in their own formats, so new leads are not called.',
  },
] as const satisfies readonly Route[]
