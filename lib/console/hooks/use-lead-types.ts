import type { LeadTypePage } from '../../client/operations.ts'
import { type Query, useQuery } from './use-query.ts'

/** The first 100 lead types of the user: as many as a page can have. */
export const useLeadTypes = (): Query<LeadTypePage> =>
  useQuery('lead types', (client, signal) => client.request('GET /api/lead-types/', { query: { page_size: 100 }, signal }))
