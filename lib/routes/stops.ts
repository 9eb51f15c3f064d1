import type { Route } from './route.ts'

/** Users, their pauses, and the do-not-call list. */
export const stopRoutes = [
  {
    method: 'GET',
    path: '/api/users/me/',
    function: 'users/me',
    auth: 'token',
    needs: ['table:get'],
    summary: 'Retrieve your own user',
    impact: 'Clients cannot see whether their calls are paused or how many lines are in use.',
  },
  {
    method: 'POST',
    path: '/api/users/{id}/pause-calls/',
    function: 'users/pause-calls',
    auth: 'token',
    needs: ['table:get', 'table:update'],
    summary: 'Pause outbound calls',
    impact: 'Clients cannot pause their outbound calls. Leads are still called against the wish of the client.',
  },
  {
    method: 'POST',
    path: '/api/users/{id}/unpause-calls/',
    function: 'users/unpause-calls',
    auth: 'token',
    needs: ['table:get', 'table:put', 'table:update', 'calls:send'],
    summary: 'Unpause and reschedule outbound calls',
    impact: 'Clients cannot resume outbound calls that they have paused.',
  },
  {
    method: 'POST',
    path: '/api/dnc/',
    function: 'dnc/create',
    auth: 'token',
    needs: ['table:get', 'table:query', 'table:put', 'table:update', 'calls:send', 'phone-hash'],
    summary: 'Add a phone number to the do-not-contact list',
    impact: 'Clients cannot add phone numbers to their do-not-contact list. People who asked not to be called are still called.',
  },
  {
    method: 'GET',
    path: '/api/dnc/',
    function: 'dnc/retrieve',
    auth: 'token',
    needs: ['table:get', 'phone-hash'],
    summary: 'Look up a phone number on the do-not-contact list',
    impact: 'Clients cannot look up their do-not-contact list. The list still stops calls.',
  },
] as const satisfies readonly Route[]
