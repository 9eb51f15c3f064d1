import { statisticsFilters } from '../openapi/parameters.ts'
import type { Route } from './route.ts'

/** Numbers about a user's leads and calls. */
export const statisticsRoutes = [
  {
    method: 'GET',
    path: '/api/statistics/',
    function: 'statistics/retrieve',
    auth: 'token',
    needs: ['table:get', 'table:query'],
    summary: 'Count leads and calls of a period',
    impact: 'Clients cannot see their statistics. Leads are called and counted as before.',
    api: {
      tag: 'Statistics',
      description:
        'Leads by status, and calls by outcome, hour, attempt, day, lead type and lead source. The numbers are exact, and follow a change within seconds. A lead that changes its type or its source is counted with its new one; its calls stay where they were counted. Erased leads and their calls no longer count.',
      query: statisticsFilters,
      answers: {
        200: { description: 'The statistics.', holds: 'Statistics' },
        400: { description: 'A parameter is wrong, or the period is too long.', holds: 'FieldErrors' },
      },
    },
  },
] as const satisfies readonly Route[]
