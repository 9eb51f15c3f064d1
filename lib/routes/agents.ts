import type { Route } from './route.ts'

/** What voice agents report and ask for. */
export const agentRoutes = [
  {
    method: 'POST',
    path: '/api/agents/calls/{call_id}/events/',
    function: 'agents/call-events',
    auth: 'agent',
    needs: ['table:get', 'table:batch-get', 'table:query', 'table:put', 'table:update', 'index:by-due', 'calls:send', 'calling-policy'],
    summary: 'Report what happened in a call',
    impact: 'Outcomes of calls are not taken up: leads stay in call, and a request to stop calling waits for the agent to repeat it.',
  },
  {
    method: 'POST',
    path: '/api/agents/inbound-calls/',
    function: 'agents/inbound-calls',
    auth: 'agent',
    needs: [
      'table:get',
      'table:batch-get',
      'table:query',
      'table:put',
      'table:update',
      'index:by-owner',
      'calls:send',
      'phone-hash',
      'calling-policy',
    ],
    summary: 'Report a call that a person makes',
    impact: 'The agent knows nothing of people who call back, and they may be called while they are on the phone.',
  },
  {
    method: 'POST',
    path: '/api/agents/calls/{call_id}/calendar/slots/',
    function: 'agents/calendar-slots',
    auth: 'agent',
    needs: ['table:get', 'private-hosts'],
    timeoutSeconds: 15,
    summary: 'Find free slots in a calendar',
    impact: 'The agent cannot offer meetings.',
  },
  {
    method: 'POST',
    path: '/api/agents/calls/{call_id}/calendar/book/',
    function: 'agents/calendar-book',
    auth: 'agent',
    needs: ['table:get', 'table:put', 'table:update', 'private-hosts'],
    timeoutSeconds: 15,
    summary: 'Book a slot in a calendar',
    impact: 'The agent cannot book the meetings that it offers.',
  },
] as const satisfies readonly Route[]
