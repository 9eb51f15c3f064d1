import type { Route } from './route.ts'

/** The service itself and its documents. */
export const serviceRoutes = [
  {
    method: 'GET',
    path: '/api/health/',
    function: 'health',
    auth: 'none',
    needs: ['table:get'],
    summary: 'Check that the service answers',
    impact: 'Monitoring of the service reports that it is down.',
  },
  {
    method: 'GET',
    path: '/api/schema/',
    function: 'docs/schema',
    auth: 'none',
    needs: [],
    summary: 'The OpenAPI document of this API',
    impact: 'Programs and people cannot read the description of the API. Its page does not work either.',
  },
  {
    method: 'GET',
    path: '/api/docs/',
    function: 'docs/page',
    auth: 'none',
    needs: [],
    summary: 'A page that describes this API and lets you try it',
    impact: 'The page that describes the API cannot be opened.',
  },
  {
    method: 'GET',
    path: '/api/docs/{file}/',
    function: 'docs/page',
    auth: 'none',
    needs: [],
    summary: 'A file of that page',
    impact: 'The page that describes the API cannot be opened.',
  },
] as const satisfies readonly Route[]
