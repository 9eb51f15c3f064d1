import type { Need } from './stacks/needs.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As clients write it, with its slash at the end; it is served without that as well. */
  readonly path: `/api/${string}/`
  /** Folder under `functions/`. Several routes may name the same one. */
  readonly function: string
  /** Who may ask: a client with its API key, a voice agent with its signature, or anybody. */
  readonly auth: 'token' | 'agent' | 'none'
  /** What the function uses; it is granted and told nothing else. */
  readonly needs: readonly Need[]
  /** How long it may take, at most 29: the gateway waits no longer. Default: 10. */
  readonly timeoutSeconds?: number
  /** Default: 512. */
  readonly memoryMb?: number
  readonly summary: string
  /** What breaks for whom while the function fails. */
  readonly impact: string
}

/** Every route of the API. */
export const routes = [
  {
    method: 'POST',
    path: '/api/leads/',
    function: 'leads/create',
    auth: 'token',
    needs: ['table:write', 'index:by-owner', 'calls:send', 'phone-hash', 'default-timezone'],
    summary: 'Create a lead',
    impact: 'Clients cannot hand in leads, so new leads are not called.',
  },
  {
    method: 'GET',
    path: '/api/leads/',
    function: 'leads/list',
    auth: 'token',
    needs: ['table:write', 'index:by-owner'],
    summary: 'List leads',
    impact: 'Clients cannot list or look up their leads.',
  },
  {
    method: 'POST',
    path: '/api/leads/bulk-create/',
    function: 'leads/bulk-create',
    auth: 'token',
    needs: ['table:write', 'index:by-owner', 'calls:send', 'phone-hash', 'default-timezone'],
    timeoutSeconds: 29,
    memoryMb: 1769,
    summary: 'Create up to 1,000 leads',
    impact: 'Clients cannot hand in leads in bulk, so these are not called.',
  },
  {
    method: 'PATCH',
    path: '/api/leads/bulk-update/',
    function: 'leads/bulk-update',
    auth: 'token',
    needs: ['table:write', 'table:batch-write', 'calls:send', 'updates:send', 'phone-hash', 'default-timezone'],
    timeoutSeconds: 29,
    memoryMb: 1769,
    summary: 'Update up to 1,000 leads',
    impact: 'Clients cannot update leads in bulk, nor stop them from being called that way.',
  },
  {
    method: 'GET',
    path: '/api/tasks/{task_id}/',
    function: 'tasks/retrieve',
    auth: 'token',
    needs: ['table:read'],
    summary: 'How an update accepted in bulk fared',
    impact: 'Clients cannot see whether updates accepted in bulk have been made; they are made all the same.',
  },
  {
    method: 'GET',
    path: '/api/leads/{id}/',
    function: 'leads/retrieve',
    auth: 'token',
    needs: ['table:read'],
    summary: 'Retrieve a lead',
    impact: 'Clients cannot see how their leads stand.',
  },
  {
    method: 'PATCH',
    path: '/api/leads/{id}/',
    function: 'leads/update',
    auth: 'token',
    needs: ['table:write', 'calls:send', 'phone-hash', 'default-timezone'],
    summary: 'Update a lead',
    impact: 'Clients cannot update their leads, nor stop them from being called.',
  },
  {
    method: 'PUT',
    path: '/api/leads/update/',
    function: 'leads/update-by-match',
    auth: 'token',
    needs: ['table:write', 'calls:send', 'phone-hash', 'default-timezone'],
    summary: 'Update the lead with a phone number and an email',
    impact: 'Clients that do not keep the ids of their leads cannot update them, nor stop them from being called.',
  },
  {
    method: 'PATCH',
    path: '/api/leads/update/',
    function: 'leads/update-by-match',
    auth: 'token',
    needs: ['table:write', 'calls:send', 'phone-hash', 'default-timezone'],
    summary: 'Update the lead with a phone number and an email',
    impact: 'Clients that do not keep the ids of their leads cannot update them, nor stop them from being called.',
  },
  {
    method: 'GET',
    path: '/api/users/me/',
    function: 'users/me',
    auth: 'token',
    needs: ['table:read'],
    summary: 'Retrieve the own user',
    impact: 'Clients cannot see whether they are paused, nor how many of their lines are in use.',
  },
  {
    method: 'GET',
    path: '/api/lead-types/',
    function: 'lead-types/list',
    auth: 'token',
    needs: ['table:read'],
    summary: 'List lead types',
    impact: 'Clients cannot learn which lead types there are.',
  },
  {
    method: 'GET',
    path: '/api/lead-types/{id}/',
    function: 'lead-types/retrieve',
    auth: 'token',
    needs: ['table:read'],
    summary: 'Retrieve a lead type',
    impact: 'Clients cannot learn which metadata a lead type is to have.',
  },
  {
    method: 'POST',
    path: '/api/webhooks/',
    function: 'webhooks/create',
    auth: 'token',
    needs: ['table:write'],
    summary: 'Subscribe to events',
    impact: 'Clients cannot subscribe to events; existing subscriptions go on.',
  },
  {
    method: 'POST',
    path: '/api/agents/calls/{call_id}/events/',
    function: 'agents/call-events',
    auth: 'agent',
    needs: ['table:write', 'index:by-due', 'calls:send', 'phone-hash', 'default-timezone'],
    summary: 'Report what happened in a call',
    impact: 'Outcomes of calls are not taken up: leads stay in call, and a request to stop calling waits for the agent to repeat it.',
  },
  {
    method: 'GET',
    path: '/api/health/',
    function: 'health',
    auth: 'none',
    needs: ['table:read'],
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
