import type { ApiOperation } from '../openapi/operation.ts'
import type { Route } from './route.ts'

const docsPageApi: ApiOperation = {
  tag: 'Service',
  path: {
    file: {
      description: 'A file of the page.',
      schema: { enum: ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'] },
    },
  },
  answers: {
    200: { description: 'The page, or a file of it.', types: ['text/html', 'text/css', 'text/javascript', 'text/plain'] },
  },
}

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
    api: {
      tag: 'Service',
      answers: {
        200: { description: 'The service answers.', holds: 'Healthy' },
        503: { description: 'The table of the service does not answer.', holds: 'Unavailable' },
      },
    },
  },
  {
    method: 'GET',
    path: '/api/schema/',
    function: 'docs/schema',
    auth: 'none',
    needs: [],
    summary: 'The OpenAPI document of this API',
    impact: 'Programs and people cannot read the description of the API. The page of the documentation does not work either.',
    api: { tag: 'Service', answers: { 200: { description: 'This document.', types: ['application/json'] } } },
  },
  {
    method: 'GET',
    path: '/api/docs/',
    function: 'docs/page',
    auth: 'none',
    needs: [],
    summary: 'A page that describes this API and lets you try it',
    impact: 'The page that describes the API cannot be opened.',
    api: docsPageApi,
  },
  {
    method: 'GET',
    path: '/api/docs/{file}/',
    function: 'docs/page',
    auth: 'none',
    needs: [],
    summary: 'A file of that page',
    impact: 'The page that describes the API cannot be opened.',
    api: docsPageApi,
  },
] as const satisfies readonly Route[]
