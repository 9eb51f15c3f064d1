import type { Route } from './route.ts'

/** The service itself and its documents. */
export const serviceRoutes = [
  {
    method: 'GET',
    path: '/api/health/',
    function: 'health',
    auth: 'none',
    needs: ['table:get'],
    summary: 'Whether the service answers',
    impact: 'Whoever watches the service takes it for down.',
  },
  {
    method: 'GET',
    path: '/api/schema/',
    function: 'docs/schema',
    auth: 'none',
    needs: [],
    summary: 'The OpenAPI document of this API',
    impact: 'The description of the API cannot be read, neither by programs nor on its page.',
  },
  {
    method: 'GET',
    path: '/api/docs/',
    function: 'docs/page',
    auth: 'none',
    needs: [],
    summary: 'A page to read about this API and to try it',
    impact: 'The page that describes the API cannot be opened.',
  },
  {
    method: 'GET',
    path: '/api/docs/{file}/',
    function: 'docs/page',
    auth: 'none',
    needs: [],
    summary: 'What that page consists of',
    impact: 'The page that describes the API cannot be opened.',
  },
] as const satisfies readonly Route[]
