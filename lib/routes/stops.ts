import type { Route } from './route.ts'

/** Users, their pauses, and the do-not-call list. */
export const stopRoutes = [
  {
    method: 'GET',
    path: '/api/users/me/',
    function: 'users/me',
    auth: 'token',
    needs: ['table:get'],
    summary: 'Retrieve the own user',
    impact: 'Clients cannot see whether they are paused, nor how many of their lines are in use.',
  },
  {
    method: 'POST',
    path: '/api/users/{id}/pause-calls/',
    function: 'users/pause-calls',
    auth: 'token',
    needs: ['table:get', 'table:update'],
    summary: 'Pause outbound calls',
    impact: 'Clients cannot pause their outbound calls: leads are called that they want left alone.',
  },
  {
    method: 'POST',
    path: '/api/users/{id}/unpause-calls/',
    function: 'users/unpause-calls',
    auth: 'token',
    needs: ['table:get', 'table:put', 'table:update', 'calls:send'],
    summary: 'Unpause and reschedule outbound calls',
    impact: 'Clients that have paused their outbound calls cannot go on with them.',
  },
  {
    method: 'POST',
    path: '/api/dnc/',
    function: 'dnc/create',
    auth: 'token',
    needs: ['table:get', 'table:query', 'table:put', 'table:update', 'calls:send', 'phone-hash'],
    summary: 'Enter a phone number on the do-not-call list',
    impact: 'Clients cannot enter phone numbers on their do-not-call list: people are called who asked not to be.',
  },
  {
    method: 'GET',
    path: '/api/dnc/',
    function: 'dnc/retrieve',
    auth: 'token',
    needs: ['table:get', 'phone-hash'],
    summary: 'Whether a phone number is on the do-not-call list',
    impact: 'Clients cannot look up their do-not-call list; it holds all the same.',
  },
] as const satisfies readonly Route[]
