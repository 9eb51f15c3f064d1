import type { Need } from './stacks/needs.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As clients write it, with its slash at the end; it is served without that as well. */
  readonly path: `/api/${string}/`
  /** Folder under `functions/`. Several routes may name the same one. */
  readonly function: string
  /** Who may ask: a client with its API key, or a voice agent with its signature. */
  readonly auth: 'token' | 'agent'
  /** What the function uses; it is granted and told nothing else. */
  readonly needs: readonly Need[]
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
    needs: ['table:write', 'calls:send', 'phone-hash', 'default-timezone'],
    summary: 'Create a lead',
    impact: 'Clients cannot hand in leads, so new leads are not called.',
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
] as const satisfies readonly Route[]
