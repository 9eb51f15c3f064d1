import type { Route } from './route.ts'

/** Subscriptions to events. */
export const webhookRoutes = [
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
    path: '/api/webhooks/check-filter/',
    function: 'webhooks/check-filter',
    auth: 'token',
    needs: ['table:read'],
    summary: 'Try a filter condition',
    impact: 'Clients cannot try filter conditions; those of their subscriptions go on to be checked.',
  },
] as const satisfies readonly Route[]
