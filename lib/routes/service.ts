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

const consoleApi: ApiOperation = {
  tag: 'Service',
  path: { file: { description: 'A file of the page.', schema: { enum: ['console.css', 'console.js'] } } },
  answers: { 200: { description: 'The page, or a file of it.', types: ['text/html', 'text/css', 'text/javascript'] } },
}

const CONSOLE_IMPACT = 'People cannot open the console. Everything that it shows and does is also in the API.'

/** The service itself, its documents and its console. */
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
    path: '/api/health/details/',
    function: 'service-state',
    auth: 'token',
    needs: ['table:get', 'index:by-due', 'queues:count'],
    summary: 'Show the state of queues and voice agents',
    impact: 'Staff cannot see queues and agents in the console. The operator still sees them with npm run ops.',
    api: {
      tag: 'Service',
      description: 'Messages in the queues, dead letters, and the voice agents that get no calls at the moment. Only for staff.',
      answers: { 200: { description: 'The state.', holds: 'ServiceState' } },
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
  {
    method: 'GET',
    path: '/console/',
    function: 'console/page',
    auth: 'none',
    needs: ['uploads:origin'],
    summary: 'The console: a page that shows leads and files, and stops or schedules calls',
    impact: CONSOLE_IMPACT,
    api: consoleApi,
  },
  {
    method: 'GET',
    path: '/console/{file}/',
    function: 'console/page',
    auth: 'none',
    needs: ['uploads:origin'],
    summary: 'A file of the console',
    impact: CONSOLE_IMPACT,
    api: consoleApi,
  },
] as const satisfies readonly Route[]
