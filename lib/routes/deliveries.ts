import type { Route } from './route.ts'

/** Deliveries to subscriptions, and requests that send something again. */
export const deliveryRoutes = [
  {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries/',
    function: 'webhooks/deliveries',
    auth: 'token',
    // `table:put`: it stores the delivery counts of past days.
    needs: ['table:get', 'table:batch-get', 'table:query', 'table:put', 'index:by-owner'],
    timeoutSeconds: 29,
    summary: 'List the deliveries of a subscription',
    impact: 'Clients cannot see what was sent to their destinations. Events are still sent.',
  },
  {
    method: 'POST',
    path: '/api/webhooks/{id}/deliveries/{delivery_id}/resend/',
    function: 'webhooks/resend',
    auth: 'token',
    needs: ['table:get', 'table:update', 'deliveries:send'],
    summary: 'Send a delivery again',
    impact: 'Clients cannot resend deliveries that failed for good. Automatic retries continue.',
  },
  {
    method: 'POST',
    path: '/api/webhooks/{id}/test/',
    function: 'webhooks/test',
    auth: 'token',
    needs: ['table:get', 'table:put', 'table:update', 'deliveries:send'],
    summary: 'Send a test to a subscription',
    impact: 'Clients cannot test their destinations. Events are still delivered.',
  },
  {
    method: 'POST',
    path: '/api/agents/webhooks/replay-recent-chat/',
    function: 'webhooks/replay',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:batch-write', 'table:query', 'table:update', 'deliveries:send'],
    timeoutSeconds: 29,
    memoryMb: 1769,
    summary: 'Send webhooks about recent calls again',
    impact: 'Clients cannot resend webhooks about recent calls.',
  },
] as const satisfies readonly Route[]
