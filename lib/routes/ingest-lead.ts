import { WRITES_LEADS } from './lead-needs.ts'
import type { Route } from './route.ts'

/** Leads in the providers' own formats. */
export const ingestLeadRoutes = [
  {
    method: 'POST',
    path: '/api/ingest-lead/{id}/',
    function: 'ingest-lead/create',
    auth: 'ingestion',
    needs: WRITES_LEADS,
    summary: 'Create a lead from a custom payload',
    impact: 'Providers cannot hand in leads in shapes of their own, so these are not called.',
  },
  {
    method: 'POST',
    path: '/api/ingest-lead/{id}/upsert/',
    function: 'ingest-lead/upsert',
    auth: 'ingestion',
    needs: WRITES_LEADS,
    summary: 'Create or update a lead from a custom payload',
    impact: 'Providers cannot hand in or update leads in shapes of their own, so new ones are not called.',
  },
] as const satisfies readonly Route[]
