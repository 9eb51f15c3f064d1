import { agents } from './agents.ts'
import { ingestLead, uploads } from './ingestion.ts'
import type { ApiOperation } from './operation.ts'
import { explainedAt, id, leadLookUps, paging, search, taskId } from './parameters.ts'
import { tooLarge, warnings } from './refusals.ts'
import { stopping } from './stopping.ts'
import { deliveries, webhooks } from './webhooks.ts'

const lead = {
  phone_number: '+12125550123',
  email: 'ann@example.com',
  first_name: 'Ann',
  timezone: 'America/New_York',
  lead_source: 'website',
}

const leads: Readonly<Record<string, ApiOperation>> = {
  'leads/create': {
    tag: 'Leads',
    description: 'If reengagement is configured and an eligible lead has the same phone number and email, that lead is reopened.',
    body: 'CreateLead',
    example: lead,
    forms: true,
    answers: {
      201: { description: 'Created.', holds: 'Lead' },
      200: { description: 'An existing lead was reengaged.', holds: 'Lead' },
    },
  },
  'leads/list': {
    tag: 'Leads',
    description: 'Newest first.',
    query: { ...paging, ...leadLookUps },
    answers: { 200: { description: 'A page of leads.', holds: 'LeadPage' }, 400: tooLarge },
    mayMiss: true,
  },
  'leads/retrieve': { tag: 'Leads', path: id('lead'), answers: { 200: { description: 'The lead.', holds: 'Lead' } } },
  'leads/update': {
    tag: 'Leads',
    description:
      'Metadata is merged by its top-level keys. A terminal status or `CANCELLED` removes the next call. A closed lead that is set back to `OPEN` starts a new round: `max_attempts` counts from then. A lead in status `NEW` that gets its first lead type becomes `OPEN`, unless the update sets another status. If a number is on the do-not-contact list of your group, its `call_dnc` and `sms_dnc` stay true even if you set them to false. The header `X-Warnings` of the answer then says so. The operator can lift a listed number.',
    path: id('lead'),
    body: 'UpdateLead',
    example: { status: 'CANCELLED' },
    answers: { 200: { description: 'The lead as it is now.', holds: 'Lead', headers: warnings } },
  },
  'leads/explain': {
    tag: 'Leads',
    description:
      'Returns every gate in the order in which a dial checks them, including the gates after the first refusal. Nobody is called, and nothing changes.',
    path: id('lead'),
    query: { at: explainedAt },
    answers: {
      200: { description: 'The verdict of each gate.', holds: 'Explanation' },
      400: { description: '`at` is not a datetime.', holds: 'FieldErrors' },
    },
  },
  'leads/schedule-call': {
    tag: 'Leads',
    description:
      'Replaces a pending call. A time outside the lawful hours is moved to the next lawful time; `detail` says why. If a status, a stop, a pause or a call in progress prevents calls to the lead, no call is scheduled. Then nothing changes, and `detail` names the reason.',
    path: id('lead'),
    body: 'ScheduleCall',
    example: { call_time: '2030-01-15T16:00:00-05:00' },
    forms: true,
    answers: { 200: { description: 'Whether the call is scheduled, and when the lead is called next.', holds: 'ScheduledCall' } },
  },
  'leads/calls': {
    tag: 'Leads',
    description: 'Newest first.',
    path: id('lead'),
    query: paging,
    answers: { 200: { description: 'A page of calls.', holds: 'CallPage' }, 400: tooLarge },
  },
  'leads/update-by-match': {
    tag: 'Leads',
    description: 'The update is partial with both methods. If several leads match, the newest is updated.',
    body: 'UpdateLeadByMatch',
    example: { phone_number: lead.phone_number, email: lead.email, external_id: 'A-17' },
    answers: { 200: { description: 'The lead as it is now.', holds: 'Lead', headers: warnings } },
    mayMiss: true,
  },
  'leads/bulk-create': {
    tag: 'Leads',
    description: 'Leads with the same phone number are created in the order of the request. A lead that fails does not affect the others.',
    body: 'BulkCreate',
    example: { leads: [lead, { phone_number: '(212) 555-0124' }] },
    answers: { 200: { description: 'The result for each lead, in the order of the request.', holds: 'BulkCreateResult' } },
  },
  'leads/bulk-update': {
    tag: 'Leads',
    description:
      'Stops hold from the answer on: `CANCELLED`, terminal statuses and do-not-contact flags set to true. All other changes are applied after the answer. The task shows when.',
    body: 'BulkUpdate',
    example: { leads: [{ id: 51, status: 'LOST' }] },
    answers: { 202: { description: 'Each update is accepted or refused on its own.', holds: 'BulkUpdateResult' } },
  },
  'tasks/retrieve': {
    tag: 'Leads',
    description: 'A task is kept for seven days after it is done.',
    path: { task_id: taskId },
    answers: { 200: { description: 'The state of the task.', holds: 'Task' } },
  },
}

const others: Readonly<Record<string, ApiOperation>> = {
  'lead-types/list': {
    tag: 'Lead types',
    query: { ...paging, search },
    answers: { 200: { description: 'A page of lead types.', holds: 'LeadTypePage' } },
    mayMiss: true,
  },
  'lead-types/retrieve': {
    tag: 'Lead types',
    path: id('lead type'),
    answers: { 200: { description: 'The lead type.', holds: 'LeadType' } },
  },
  'users/me': { tag: 'Account', answers: { 200: { description: 'The user that the API key belongs to.', holds: 'User' } }, mayMiss: true },
  'calls/live': {
    tag: 'Calls',
    description:
      'Name the call by its id, its lead or its phone number. If you send several of them, they must name the same call. `external_ids` are merged by their keys; `external_id` is added to them. They belong to the call: the lead keeps its own `external_id`. If the id of the representative is a number, the lead gets this representative.',
    body: 'UpdateLiveCall',
    example: { phone_number: lead.phone_number, representative: { id: 12, name: 'Bob' }, external_id: 'A-17' },
    answers: { 200: { description: 'The call as it is now.', holds: 'Call' } },
    mayMiss: true,
  },
  health: {
    tag: 'Service',
    answers: {
      200: { description: 'The service answers.', holds: 'Healthy' },
      503: { description: 'The table of the service does not answer.', holds: 'Unavailable' },
    },
  },
  'docs/schema': { tag: 'Service', answers: { 200: { description: 'This document.', types: ['application/json'] } } },
  'docs/page': {
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
  },
}

/** The operation of every function in the table of routes. */
export const operations: Readonly<Record<string, ApiOperation>> = {
  ...leads,
  ...uploads,
  ...ingestLead,
  ...stopping,
  ...webhooks,
  ...deliveries,
  ...agents,
  ...others,
}
