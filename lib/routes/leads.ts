import { disclosures, explainedAt, id, leadFilters, leadLookUps, paging, taskId, tooLarge } from '../openapi/parameters.ts'
import { LONGEST_REQUEST, type Route, UPDATES_LEADS, WRITES_LEADS } from './route.ts'

const lead = {
  phone_number: '+12125550123',
  email: 'ann@example.com',
  external_id: 'A-17',
  us_state: 'NY',
  lead_source: 'Partner',
  first_name: 'Ann',
  zip: '10001',
}

/** Clients may send either method. */
const updateByMatch = {
  path: '/api/leads/update/',
  function: 'leads/update-by-match',
  auth: 'token',
  needs: UPDATES_LEADS,
  summary: 'Update a lead by phone number and email',
  impact: 'Clients that do not keep lead ids cannot update their leads or stop calls to them.',
  api: {
    tag: 'Leads',
    description: 'The update is partial with both methods. If several leads match, the newest is updated.',
    body: 'UpdateLeadByMatch',
    example: { phone_number: lead.phone_number, email: lead.email, external_id: 'A-17' },
    answers: { 200: { description: 'The lead as it is now.', holds: 'Lead' } },
    mayMiss: true,
  },
} as const

/** Leads and their calls. */
export const leadRoutes = [
  {
    method: 'POST',
    path: '/api/leads/',
    function: 'leads/create',
    auth: 'token',
    needs: WRITES_LEADS,
    summary: 'Create a lead',
    impact: 'Clients cannot create leads, so new leads are not called.',
    api: {
      tag: 'Leads',
      description:
        'If reengagement is configured and an eligible lead has the same phone number and email, that lead is reopened. If the lead type has `second_open_lead`, a lead whose phone number has an open lead is refused, or merged into that lead.',
      body: 'CreateLead',
      example: lead,
      forms: true,
      answers: {
        201: { description: 'Created.', holds: 'Lead' },
        200: { description: 'An existing lead was reengaged, or took the new data.', holds: 'Lead' },
      },
    },
  },
  {
    method: 'GET',
    path: '/api/leads/',
    function: 'leads/list',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:query', 'table:update', 'index:by-owner', 'index:by-change'],
    memoryMb: 1769,
    summary: 'List leads',
    impact: 'Clients cannot list or look up their leads.',
    api: {
      tag: 'Leads',
      description:
        'All leads, newest first: all pages and `count` are exact. So are ranges of `created_time`. With `status`, `lead_type`, `modified_time_after`, `modified_time_before` or `ordering`, in any combination, the list is in the order of the last change, the latest first. Then pages have no numbers: follow `next` and `previous`. `count` is exact below 1,000, and 1,000 means 1,000 or more. It is counted on the first page. `phone_number`, `email` and `external_id` can be combined with all filters. If more than 1,000 leads share one of these values, `count` is 1,000, and only these have pages with numbers.',
      query: { ...paging, ...leadLookUps, ...leadFilters },
      answers: {
        200: { description: 'A page of leads.', holds: 'LeadPage' },
        400: { description: 'A filter is wrong, or the page is too large to be sent: use a smaller `page_size`.', holds: 'FieldErrors' },
      },
      mayMiss: true,
    },
  },
  {
    method: 'POST',
    path: '/api/leads/bulk-create/',
    function: 'leads/bulk-create',
    auth: 'token',
    needs: WRITES_LEADS,
    timeoutSeconds: LONGEST_REQUEST,
    memoryMb: 1769,
    summary: 'Create up to 1,000 leads',
    impact: 'Clients cannot create leads in bulk, so these leads are not called.',
    api: {
      tag: 'Leads',
      description:
        'Leads with the same phone number are created in the order of the request. A lead that fails does not affect the others.',
      body: 'BulkCreate',
      example: { leads: [lead, { phone_number: '+12125550124' }, { phone_number: '+12125550125', lead_type: 99 }] },
      answers: {
        200: { description: 'The result for each lead, in the order of the request.', holds: 'BulkCreateResult' },
      },
    },
  },
  {
    method: 'PATCH',
    path: '/api/leads/bulk-update/',
    function: 'leads/bulk-update',
    auth: 'token',
    needs: [
      'table:get',
      'table:batch-get',
      'table:batch-write',
      'table:query',
      'table:put',
      'table:update',
      'calls:send',
      'updates:send',
      'phone-hash',
      'calling-policy',
    ],
    timeoutSeconds: LONGEST_REQUEST,
    memoryMb: 1769,
    summary: 'Update up to 1,000 leads',
    impact: 'Clients cannot update leads or stop calls in bulk.',
    api: {
      tag: 'Leads',
      description:
        'Stops apply before the answer: `CANCELLED`, terminal statuses and do-not-contact flags set to true. All other changes are applied after the answer. The task shows when.',
      body: 'BulkUpdate',
      example: {
        leads: [
          { id: 52, status: 'LOST' },
          { id: 99, status: 'LOST' },
        ],
      },
      answers: { 202: { description: 'Each update is accepted or refused on its own.', holds: 'BulkUpdateResult' } },
    },
  },
  {
    method: 'GET',
    path: '/api/tasks/{task_id}/',
    function: 'tasks/retrieve',
    auth: 'token',
    needs: ['table:get'],
    summary: 'Retrieve the state of an update that was accepted in bulk',
    impact: 'Clients cannot see whether updates accepted in bulk are applied. The updates are still applied.',
    api: {
      tag: 'Leads',
      description: 'A task is kept for seven days after it is done.',
      path: { task_id: taskId },
      answers: { 200: { description: 'The state of the task.', holds: 'Task' } },
    },
  },
  {
    method: 'GET',
    path: '/api/leads/{id}/',
    function: 'leads/retrieve',
    auth: 'token',
    needs: ['table:get'],
    summary: 'Retrieve a lead',
    impact: 'Clients cannot see the state of their leads.',
    api: { tag: 'Leads', path: id('lead'), answers: { 200: { description: 'The lead.', holds: 'Lead' } } },
  },
  {
    method: 'PATCH',
    path: '/api/leads/{id}/',
    function: 'leads/update',
    auth: 'token',
    needs: UPDATES_LEADS,
    summary: 'Update a lead',
    impact: 'Clients cannot update their leads or stop calls to them.',
    api: {
      tag: 'Leads',
      description:
        'To stop the calls of this lead, set `status` to `CANCELLED`. To stop all calls to its phone number, set `call_dnc` to true. Metadata is merged by its top-level keys. A terminal status or `CANCELLED` removes the next call. A closed lead that is set back to `OPEN` starts a new round: `max_attempts` counts from then. A lead in status `NEW` that gets its first lead type becomes `OPEN`, unless the update sets another status. If a number is on the do-not-contact list of your group, its `call_dnc` and `sms_dnc` stay true even if you set them to false. The header `X-Warnings` of the answer then says so. The operator can lift a listed number.',
      path: id('lead'),
      body: 'UpdateLead',
      example: { status: 'CANCELLED' },
      answers: { 200: { description: 'The lead as it is now.', holds: 'Lead' } },
    },
  },
  {
    method: 'GET',
    path: '/api/leads/{id}/explain/',
    function: 'leads/explain',
    auth: 'token',
    needs: ['table:get', 'table:batch-get', 'table:query', 'phone-hash', 'calling-policy'],
    summary: 'Explain why a lead is or is not called',
    impact: 'Clients cannot see why a lead is not called. Calls are still placed when they are allowed.',
    api: {
      tag: 'Leads',
      description:
        'Returns every gate in the order in which a dial checks them, including the gates after the first refusal. The law is that of the local day of `at`. The rules are not legal advice. Nobody is called, and nothing changes.',
      path: id('lead'),
      query: { at: explainedAt, disclosures },
      answers: {
        200: { description: 'The verdict of each gate.', holds: 'Explanation' },
        400: { description: '`at` is not a datetime, or `disclosures` not a boolean.', holds: 'FieldErrors' },
      },
    },
  },
  {
    method: 'POST',
    path: '/api/leads/{id}/schedule-call/',
    function: 'leads/schedule-call',
    auth: 'token',
    needs: ['table:get', 'table:query', 'table:put', 'calls:send', 'phone-hash', 'calling-policy'],
    summary: 'Schedule a call',
    impact: 'Clients cannot choose when their leads are called. Leads are still called at the times that their lead type sets.',
    api: {
      tag: 'Leads',
      description:
        'Replaces a pending call. A time outside the lawful hours is moved to the next lawful time; `detail` says why. If a status, a stop, a pause or a call in progress prevents calls to the lead, no call is scheduled. Then nothing changes, and `detail` names the reason.',
      path: id('lead'),
      body: 'ScheduleCall',
      example: { call_time: '2030-01-15T16:00:00-05:00' },
      forms: true,
      answers: { 200: { description: 'Whether the call is scheduled, and when the lead is called next.', holds: 'ScheduledCall' } },
    },
  },
  {
    method: 'GET',
    path: '/api/leads/{id}/calls/',
    function: 'leads/calls',
    auth: 'token',
    needs: ['table:get', 'table:query'],
    summary: 'List the calls of a lead',
    impact: 'Clients cannot look up the calls of their leads.',
    api: {
      tag: 'Leads',
      description: 'Newest first.',
      path: id('lead'),
      query: paging,
      answers: { 200: { description: 'A page of calls.', holds: 'CallPage' }, 400: tooLarge },
    },
  },
  { method: 'PUT', ...updateByMatch },
  { method: 'PATCH', ...updateByMatch },
] as const satisfies readonly Route[]
