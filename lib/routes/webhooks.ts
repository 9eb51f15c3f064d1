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
] as const satisfies readonly Route[]
